/** Base64 of bytes, with padding. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x2000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(binary);
}
