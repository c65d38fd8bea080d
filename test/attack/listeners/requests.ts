/** Request lines, and what comes with them, that no browser and no third party sends. */

/** Each was worth a thought. */
export const hostile: readonly string[] = [
  "GET // HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /// HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET //[ HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET //x:99999/ HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET http://x:x/ HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET https://user:word@other/callback?state=1 HTTP/1.1\r\nHost: x\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
  "CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /%ff%fe/%/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /in/%/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /..//../%2e%2e/ HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET / HTTP/1.1\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: [\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
  "GET / HTTP/0.9\r\n\r\n",
  "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET /\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: x\r\nExpect: the worst\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
  "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${"a: b\r\n".repeat(5_000)}\r\n`,
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
  "\r\n\r\n\r\n\r\n",
  "GET // HTTP/1.1\r\nHost: x\r\n\r\nGET //[ HTTP/1.1\r\nHost: x\r\n\r\nBROKEN\r\n\r\n",
];

const pieces: readonly string[] = [
  ..."GET,POST,OPTIONS,BREW,/,//,http://,https://[,callback,in,?state=,%,%2f,%ff,..,[,],:,@,#,*,\\,\t,\0,é".split(
    ",",
  ),
  " ",
  " HTTP/1.1",
  " HTTP/1.0",
  "\r\n",
  "\r\n\r\n",
  "\r\nHost: x",
  "\r\nContent-Length: 4",
  "\r\nTransfer-Encoding: chunked",
];

/** Put together by chance, the same for the same seed; half of them have a first line that HTTP's own reader lets pass. */
export function* byChance(seed: number, count: number): Generator<string> {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  for (let made = 0; made < count; made++) {
    const some = Array.from({ length: 1 + below(8) }, () => pieces[below(pieces.length)] ?? "").join("");
    const target = some.replaceAll(/[\s\0]/g, "");
    yield made % 2 === 0
      ? `${some}\r\n\r\n`
      : `GET /${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  }
}
