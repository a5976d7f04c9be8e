"""Everything shared that speaks Streamlit: frame, parameters, languages, charts, cached core calls."""
