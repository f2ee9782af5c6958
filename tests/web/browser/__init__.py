"""A package, so that its fixtures end with its last test: Playwright keeps an event loop."""
