"""adapters: in, the games as other ecosystems see them; asserted, what those ecosystems and we ask of them."""
