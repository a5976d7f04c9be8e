"""What each page says: settings in, view out. One folder a page; no Streamlit."""
