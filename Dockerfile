# One image for every app of the distributed profile; the command chooses the app.
FROM node:22.21.1-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY tsconfig.json tsconfig.base.json ./
COPY tools/bootstrap tools/bootstrap
COPY libs libs
COPY apps apps
RUN node --input-type=module --eval "\
  import { buildIfNeeded } from './tools/bootstrap/build.mjs'; \
  const apps = ['ingest', 'writer', 'indexer', 'graph', 'query', 'admin', 'proxy', 'cli']; \
  await buildIfNeeded(apps.map((app) => 'apps/' + app + '/main'))"

FROM node:22.21.1-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
RUN chown node:node /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY models models
USER node
ENTRYPOINT ["node", "--enable-source-maps"]
CMD ["dist/apps/proxy/main.js"]
