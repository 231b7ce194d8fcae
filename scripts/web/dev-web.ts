// For `npm run dev`: serves the web app from its sources with hot reload, and proxies everything else to the server.
import { createServer } from "vite";

const api = `http://127.0.0.1:${process.env.API_PORT}`;
const port = Number(process.env.PORT || 3000);

const server = await createServer({
  server: {
    port,
    strictPort: true,
    proxy: {
      "/auth/v1": api,
      "/rest/v1": api,
      "/realtime/v1": { target: api, ws: true },
      "/config.json": api,
      "/livez": api,
      "/readyz": api,
    },
  },
});
await server.listen();
process.send?.({ ready: {} });

const stop = async () => {
  await server.close();
  process.exit(0);
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
process.on("disconnect", stop);
