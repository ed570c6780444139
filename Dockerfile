# Everything that a study needs, so that it runs with no network:
#   docker run --rm --network none -v "$PWD/runs:/runs" IMAGE reproduce --quick --node-only
# The base is an argument, so that it can be pinned by digest: --build-arg BASE=node:24-slim@sha256:…
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /agentgauge
COPY package.json package-lock.json ./
COPY scripts/runtime/package.json scripts/runtime/package.json
RUN npm ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund --loglevel=error
COPY . .
RUN npm run -s build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error

FROM ${BASE}
WORKDIR /agentgauge
COPY --from=build /agentgauge/package.json ./
COPY --from=build /agentgauge/scripts/runtime scripts/runtime
COPY --from=build /agentgauge/node_modules node_modules
COPY --from=build /agentgauge/dist dist
COPY --from=build /agentgauge/examples examples
# Runs and generated task sets are written here; writable for all, so that --user works too.
RUN mkdir -p /runs /cache && chmod 1777 /runs /cache
ENV NODE_ENV=production AGENTGAUGE_CACHE=/cache
WORKDIR /runs
USER 1000:1000
ENTRYPOINT ["/agentgauge/node_modules/.bin/node", "/agentgauge/dist/scripts/cli.js"]
CMD ["--help"]
