# One image for the standalone catalog and for every app of a distributed one: `docker run -p 8080:8080 stratalog` starts the
# standalone catalog, `docker run stratalog writer` an app. `docker exec <container> stratalog cli token` prints the token.
FROM node:22.21.1-bookworm-slim@sha256:25b3eb23a00590b7499f2a2ce939322727fcce1b15fdd69754fcd09536a3ae2c AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY tsconfig.json tsconfig.base.json ./
COPY tools/bootstrap tools/bootstrap
COPY libs libs
COPY apps apps
RUN node --input-type=module --eval "\
  import { buildIfNeeded } from './tools/bootstrap/build/build-if-needed.mjs'; \
  import { ROLES } from './tools/bootstrap/container.mjs'; \
  await buildIfNeeded(ROLES.map((role) => 'apps/' + role + '/main'))"

FROM node:22.21.1-bookworm-slim@sha256:25b3eb23a00590b7499f2a2ce939322727fcce1b15fdd69754fcd09536a3ae2c
ENV NODE_ENV=production
# A container is reached from outside, so every call needs the operator's token: STRATALOG_TOKEN, else the one kept in the volume.
ENV STRATALOG_HOST=0.0.0.0
ENV STRATALOG_PORT=8080
ENV STRATALOG_AUTH=all
ENV STRATALOG_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY models models
COPY apps/standalone/demo apps/standalone/demo
COPY tools/bootstrap/container.mjs tools/bootstrap/
COPY tools/bootstrap/workspace/workspace.mjs tools/bootstrap/workspace/
RUN ln -s /app/tools/bootstrap/container.mjs /usr/local/bin/stratalog && mkdir -m 700 /data && chown node:node /app /data
USER node
VOLUME /data
EXPOSE 8080
# It answers what it was asked and stops its stages in order first.
STOPSIGNAL SIGTERM
# Whether the process runs, not whether its servers do: a restart would mend none of them.
HEALTHCHECK --interval=10s --timeout=5s --retries=6 --start-period=60s CMD ["stratalog", "healthcheck"]
ENTRYPOINT ["stratalog"]
CMD ["standalone"]
