"""What the environment may set."""

import pytest

from server.options import options


def test_options_are_read_as_streamlit_documents_them() -> None:
    given = {
        "STREAMLIT_SERVER_BASE_URL_PATH": "/lab/rope/",
        "STREAMLIT_SERVER_ALLOWED_HOSTS": "a.example, *.b.example  c",
        "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": "https://a.example",
        "HOME": "/tmp",
    }
    assert options(given) == {
        "server.baseUrlPath": "lab/rope",
        "server.allowedHosts": ["a.example", "*.b.example", "c"],
        "server.corsAllowedOrigins": ["https://a.example"],
    }


def test_what_is_not_given_or_empty_stays_as_it_is() -> None:
    assert options({"STREAMLIT_SERVER_BASE_URL_PATH": "", "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false"}) == {}


def test_an_address_of_version_6_may_stand_in_brackets() -> None:
    assert options({"STREAMLIT_SERVER_ALLOWED_HOSTS": "[::1] fe80::7 *"}) == {"server.allowedHosts": ["::1", "fe80::7", "*"]}


@pytest.mark.parametrize("value", ["a.example:443", "a.*.example", "*a.example", "https://a.example", "a..example", "cafe:443", "a/b"])
def test_a_host_is_a_plain_name(value: str) -> None:
    with pytest.raises(ValueError, match="STREAMLIT_SERVER_ALLOWED_HOSTS must be names"):
        options({"STREAMLIT_SERVER_ALLOWED_HOSTS": f"a.example {value}"})


@pytest.mark.parametrize("value", ["../x", "a b", "a//b", "http://x", "a?b", "a/../b"])
def test_a_base_path_is_plain(value: str) -> None:
    with pytest.raises(ValueError, match="STREAMLIT_SERVER_BASE_URL_PATH must be a path"):
        options({"STREAMLIT_SERVER_BASE_URL_PATH": value})
