"""Neural networks: those of the page Learn, and the three models from the paper on Zygote."""
