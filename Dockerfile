# docker build -t rope-lab .
# docker run --rm --read-only --tmpfs /tmp -p 127.0.0.1:8501:8501 rope-lab     (docs/deploy.md says how others reach it)
FROM python:3.11-slim

WORKDIR /app
# The file system is read-only when the app runs, but for /tmp.
ENV PATH=/app/.venv/bin:$PATH HOME=/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1

# Gigabytes that rarely change come first. An empty TORCH_INDEX takes PyPI's CUDA build.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
COPY requirements.txt ./
COPY scripts/install.py scripts/
RUN PIP_NO_CACHE_DIR=1 python scripts/install.py requirements.txt

COPY .streamlit .streamlit
COPY rope_core rope_core
COPY figures figures
COPY locales locales
COPY compute compute
COPY parameters parameters
COPY lessons lessons
COPY exports exports
COPY server server
COPY ui ui
COPY pages pages
COPY app.py ./
RUN python -m compileall -q app.py rope_core figures locales compute parameters lessons exports server ui pages

USER 65534:65534
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-m", "server.health", "http://127.0.0.1:8501"]
CMD ["uvicorn", "app:app", "--lifespan", "on", "--ws-per-message-deflate", "false", "--host", "0.0.0.0", "--port", "8501"]
