/**
 * Entry of the service worker: once loaded, the page works without a network. Its files come from the cache of their build; a
 * new build is a new worker with a cache of its own.
 */
declare const BUILD: string;
declare const FILES: readonly string[];

// The DOM's types, which the page has, know nothing of this side.
interface ServiceWorker {
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetched) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}
interface Waiting {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetched {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = globalThis as unknown as ServiceWorker;

worker.addEventListener("install", (event) =>
  event.waitUntil(
    caches
      .open(BUILD)
      .then((cache) => cache.addAll([...FILES]))
      .then(() => worker.skipWaiting()),
  ),
);

worker.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => isOurs(name) && name !== BUILD).map((name) => caches.delete(name)),
        ),
      )
      .then(() => worker.clients.claim()),
  ),
);

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches
      .open(BUILD)
      .then(async (cache) => (await cache.match(event.request)) ?? (await fetch(event.request))),
  );
});

function isOurs(name: string): boolean {
  return name.startsWith("configc-playground-");
}
