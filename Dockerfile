# Two stages: everything needed to build and test, and the few libraries needed to run.
#   docker build -t vesicle .                               docker run --rm -v "$PWD:/data" vesicle run script.lua
#   docker build --target build -t vesicle-build .          docker run --rm vesicle-build make test
ARG BASE=debian:bookworm-20250520-slim

FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git make \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home vesicle
WORKDIR /src
COPY . .
RUN make deps tests && rm -rf /var/lib/apt/lists/* && chown -R vesicle: /src
USER vesicle
CMD ["make", "test"]

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends libgsl27 liblua5.4-0 libsqlite3-0 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home vesicle \
 && mkdir /data && chown vesicle: /data
COPY --from=build /src/build/vesicle /opt/vesicle/build/vesicle
COPY --from=build /src/lua /opt/vesicle/lua
RUN ln -s /opt/vesicle/build/vesicle /usr/local/bin/vesicle
USER vesicle
WORKDIR /data
ENTRYPOINT ["vesicle"]
CMD ["--help"]
