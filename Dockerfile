# The same Debian release builds and runs it, so the C library fits.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --bin role-catalog

FROM debian:bookworm-slim
# Certificates are for the object store; nothing else is installed.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin catalog \
    && install --directory --owner=catalog --group=catalog /data
COPY --from=build /src/target/release/role-catalog /usr/local/bin/role-catalog
COPY demo/roles /app/demo/roles

WORKDIR /app
USER catalog
ENV ROLE_CATALOG_BIND=0.0.0.0:8080 \
    ROLE_CATALOG_DATA_DIR=/data \
    ROLE_CATALOG_LOG_FORMAT=json
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["role-catalog", "healthcheck"]
ENTRYPOINT ["role-catalog"]
# Add --demo to publish the demo roles at the start.
CMD ["serve"]
