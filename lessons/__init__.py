"""What each page says: settings in, a ``View`` out (figure, sentences, formula, code, columns). No widgets, no layout."""
