// The program under test: a page that says "Ready" once its picture has come.
import { createServer } from "node:http";

const page = `<!doctype html><title>A page</title><p>Waiting</p>
<img src="/picture" onload="document.querySelector('p').textContent = 'Ready'" hidden>`;
// A bitmap of 180 by 180 pixels, 97 254 bytes.
const side = 180;
const picture = Buffer.alloc(54 + side * side * 3);
picture.write("BM");
[[2, picture.length], [10, 54], [14, 40], [18, side], [22, side]].forEach(([at, value]) => picture.writeUInt32LE(value, at));
picture.writeUInt16LE(1, 26);
picture.writeUInt16LE(24, 28);

createServer((request, response) => {
  const isPicture = request.url === "/picture";
  response.setHeader("content-type", isPicture ? "image/bmp" : "text/html");
  response.end(isPicture ? picture : page);
}).listen(Number(process.argv[2] ?? 3000));
