"""What a reader takes along from a page: its numbers, the page, a notebook, a link. No Streamlit."""
