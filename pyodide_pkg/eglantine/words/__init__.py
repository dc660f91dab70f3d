"""Words for messages: advice and spelling."""
