"""Networks that learn: the page Learn, and the three models of Zygote."""
