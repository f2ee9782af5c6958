"""Safety: headers, rates, sizes of requests, health and metrics."""
