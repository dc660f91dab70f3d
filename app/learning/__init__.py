"""Neural networks: the networks of the page Learn, and three models from the paper on Zygote."""
