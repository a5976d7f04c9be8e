"""The files of a deployment are what their tools expect, agree with each other, and switch no protection off."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from server.options import VARIABLES
from server.requests import METRICS
from server.security import FRAMES

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
OBJECTS = {each["kind"]: each for each in yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text())}
NGINX = (ROOT / "deploy/nginx.conf").read_text()
GUIDE = (ROOT / "docs/deploy.md").read_text()
POD = OBJECTS["Deployment"]["spec"]["template"]["spec"]
APPS = [service for service in COMPOSE["services"].values() if "build" in service]


def compose_schema() -> dict[str, Any]:
    return json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())


def test_compose_fits_its_schema() -> None:
    jsonschema.Draft202012Validator(compose_schema()).validate(COMPOSE)


def test_the_schema_of_compose_can_fail() -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(compose_schema()).validate(COMPOSE | {"services": {"a": {"imag": "x"}}})


@pytest.mark.parametrize("kind", OBJECTS)
def test_kubernetes_knows_every_field(kind: str) -> None:
    kubernetes_validate.validate(OBJECTS[kind], "1.36", strict=True)


def test_the_schema_of_kubernetes_can_fail() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(OBJECTS["Service"] | {"spec": {"portz": []}}, "1.36", strict=True)


def test_nothing_runs_as_root_or_writes_where_it_should_not() -> None:
    assert POD["securityContext"]["runAsNonRoot"]
    for container in POD["containers"]:
        context = container["securityContext"]
        assert context["readOnlyRootFilesystem"]
        assert not context["allowPrivilegeEscalation"]
        assert context["capabilities"]["drop"] == ["ALL"]
        assert {"cpu", "memory"} <= set(container["resources"]["limits"])
    for service in COMPOSE["services"].values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
    user = re.search(r"^USER (\d+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[1]
    assert POD["securityContext"]["runAsUser"] == int(user) != 0


def test_every_part_names_the_same_base_path_port_and_health() -> None:
    assert {service["environment"]["STREAMLIT_SERVER_BASE_URL_PATH"] for service in APPS} == {"rope"}
    [container] = POD["containers"]
    assert {"name": "STREAMLIT_SERVER_BASE_URL_PATH", "value": "rope"} in container["env"]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["path"] == "/rope/_stcore/health"
    assert not any("test" in service["healthcheck"] for service in APPS)  # the image's own knows the base path
    assert container["ports"][0]["containerPort"] == 8501
    servers = re.findall(r"^ +server ([\w-]+):8501 ", NGINX, re.MULTILINE)
    assert servers == [name for name, service in COMPOSE["services"].items() if "build" in service]
    assert len(servers) >= 2
    assert OBJECTS["Service"]["spec"]["selector"].items() <= OBJECTS["Deployment"]["spec"]["template"]["metadata"]["labels"].items()


def test_probes_ask_for_a_host_that_the_server_answers_to() -> None:
    [container] = POD["containers"]
    [rule] = OBJECTS["Ingress"]["spec"]["rules"]
    [allowed] = [each["value"].split() for each in container["env"] if each["name"] == "STREAMLIT_SERVER_ALLOWED_HOSTS"]
    assert rule["host"] in allowed
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        [header] = container[probe]["httpGet"]["httpHeaders"]
        assert header["name"] == "Host"
        assert header["value"] in allowed


def test_a_pod_that_ends_is_left_by_its_readers_first() -> None:
    [container] = POD["containers"]
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    probe = container["readinessProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] <= pause < POD["terminationGracePeriodSeconds"] - 10


def test_the_autoscaler_alone_says_how_many_there_are_and_one_is_always_left() -> None:
    scaler, budget = OBJECTS["HorizontalPodAutoscaler"]["spec"], OBJECTS["PodDisruptionBudget"]["spec"]
    assert "replicas" not in OBJECTS["Deployment"]["spec"]
    assert scaler["scaleTargetRef"]["name"] == OBJECTS["Deployment"]["metadata"]["name"]
    assert 1 <= budget["minAvailable"] < scaler["minReplicas"]
    [spread] = POD["topologySpreadConstraints"]
    labels = OBJECTS["Deployment"]["spec"]["template"]["metadata"]["labels"]
    assert spread["topologyKey"] == "kubernetes.io/hostname"
    assert spread["labelSelector"]["matchLabels"].items() <= labels.items() >= budget["selector"]["matchLabels"].items()


def test_temporary_files_lie_in_memory() -> None:
    [volume] = POD["volumes"]
    assert volume["emptyDir"]["medium"] == "Memory"
    assert all(service["tmpfs"] == ["/tmp"] for service in COMPOSE["services"].values())


def test_one_cookie_name_and_one_body_size() -> None:
    ingress = OBJECTS["Ingress"]["metadata"]["annotations"]
    assert ingress["nginx.ingress.kubernetes.io/affinity"] == "cookie"
    assert ingress["nginx.ingress.kubernetes.io/session-cookie-name"] == "rope_lab"
    assert "$cookie_rope_lab" in NGINX
    megabytes = int(re.search(r"maxUploadSize = (\d+)", (ROOT / ".streamlit/config.toml").read_text())[1]) + 1
    assert ingress["nginx.ingress.kubernetes.io/proxy-body-size"] == f"{megabytes}m"
    assert f"client_max_body_size {megabytes}m;" in NGINX


@pytest.mark.parametrize(
    "path", ["deploy/nginx.conf", "deploy/compose.yaml", "deploy/kubernetes.yaml", "docs/deploy.md", "README.md", "Dockerfile"]
)
def test_no_file_switches_a_protection_off(path: str) -> None:
    text = (ROOT / path).read_text()
    assert not re.search(r"(xsrf|cors)\w*[\s\"':=]+(false|0|off|no)\b", text, re.IGNORECASE)


WORDS = (
    *("Upgrade", "Connection", "Host", "X-Forwarded-Proto", "proxy_read_timeout", "client_max_body_size", "affinity", "benchmarks.md"),
    *("Invalid host header", "--host 0.0.0.0", "httpHeaders", "limit_req", "preStop"),
)


@pytest.mark.parametrize("word", WORDS)
def test_the_guide_explains(word: str) -> None:
    assert word in GUIDE


def test_the_guide_names_what_can_be_set() -> None:
    for name in (*VARIABLES, FRAMES, METRICS):
        assert name in GUIDE
