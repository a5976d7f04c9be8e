"""What the app and its core cost, measured beside peers and a bare page: ``make bench`` writes docs/benchmarks.md."""
