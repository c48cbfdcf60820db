# docker build -t oomlint . && docker run --rm -v "$PWD:/work" oomlint check
FROM node:22-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY tools/prepare.mjs tools/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run --silent build

FROM node:22-alpine
# --since and --staged ask Git; a mounted checkout belongs to somebody else.
RUN apk add --no-cache git && git config --system --add safe.directory '*'
COPY --from=build /build/package.json /opt/oomlint/package.json
COPY --from=build /build/dist /opt/oomlint/dist
RUN ln -s /opt/oomlint/dist/cli.js /usr/local/bin/oomlint
USER node
WORKDIR /work
ENTRYPOINT ["oomlint"]
CMD ["check"]
