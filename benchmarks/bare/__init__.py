"""The least that a Streamlit page can be, served like the app: what everything else is measured against."""
