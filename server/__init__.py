"""The server around the app: the live route, its wire format, plotly.js, security headers, limits. No pages."""
