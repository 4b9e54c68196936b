# Two stages: everything needed to build and test, and what the report needs to be made.
#
#   docker build -t vesicle .
#   docker run --rm -v "$PWD/out:/out" vesicle                        # make paper; the PDFs are in out/
#   docker run --rm -v "$PWD/out:/out" -e SCALE=quick vesicle         # the same, reduced
#   docker run --rm -v "$PWD:/out" vesicle build/vesicle run /out/script.lua --out /out/data
#   docker build --target build -t vesicle-build . && docker run --rm vesicle-build    # make test
#   docker build --build-arg SNAPSHOT=20260901T000000Z -t vesicle .   # with Debian's packages as they were on that day
#
# The folder must be writable for the user in the image; --user "$(id -u)" makes it the one who calls. Only build/ is written
# to in the image, so the sources stay root's.
#
# The base is Debian 13, by its digest. Debian 12 serves as well: --build-arg BASE=debian:bookworm-slim
ARG BASE=debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f

# SNAPSHOT_ARCHIVE keeps every day of Debian; another one of the same layout can be named.
ARG SNAPSHOT=
ARG SNAPSHOT_ARCHIVE=http://snapshot.debian.org/archive

FROM ${BASE} AS build
ARG SNAPSHOT
ARG SNAPSHOT_ARCHIVE
WORKDIR /src
COPY tests/setup/snapshot.sh tests/setup/snapshot.sh
RUN sh tests/setup/snapshot.sh "$SNAPSHOT" "$SNAPSHOT_ARCHIVE" && apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git make \
 && rm -rf /var/lib/apt/lists/*
COPY . .
RUN make deps tests && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home vesicle && chown -R vesicle: /src
USER vesicle
CMD ["make", "test"]

FROM ${BASE}
ARG SNAPSHOT
ARG SNAPSHOT_ARCHIVE
WORKDIR /src
COPY tests/setup/deps.sh tests/setup/snapshot.sh tests/setup/
RUN sh tests/setup/snapshot.sh "$SNAPSHOT" "$SNAPSHOT_ARCHIVE" && apt-get update \
 && apt-get install -y --no-install-recommends make '^libgsl2[0-9]$' liblua5.4-0 libsqlite3-0 libedit2 libmd0 \
 && sh tests/setup/deps.sh figures paper \
 && rm -rf /var/lib/apt/lists/* /usr/share/doc/* /usr/share/man/* \
 && useradd --create-home vesicle && mkdir /out && chown vesicle: /out
COPY --from=build --chown=root /src/Makefile /src/CITATION.cff ./
COPY --from=build --chown=root /src/csrc csrc
COPY --from=build --chown=root /src/docs docs
COPY --from=build --chown=root /src/lua lua
COPY --from=build --chown=root /src/figures figures
COPY --from=build --chown=root /src/paper paper
COPY --from=build --chown=root /src/tests tests
COPY --from=build --chown=vesicle /src/build build
RUN rm -rf build/tests build/san build/third_party && chmod -R go-w,a+rX . && chmod -R a+rwX build
ENV HOME=/tmp PDFS_TO=/out
USER vesicle
CMD ["make", "paper"]
