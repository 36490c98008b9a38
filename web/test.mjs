// Tries the page in a browser: node web/test.mjs BROWSER FOLDER-OF-NODE-MODULES. web/test finds both.
//
// Nothing here depends on how fast the machine is: what is simulated depends only on the number of frames, so a page is compared
// with the same scene run for as many frames without it. Times are printed; only a page that stands still for seconds fails.

import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';

const [browser, modules] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');

const SITE = 'out/web';
const PICTURES = 'out/web-test';
const SIZE = { width: 1000, height: 640 };
// Software WebGL, so that it runs where there is no graphics card.
const FLAGS = [
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--no-sandbox', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];
// A page that shows nothing new for this long counts as frozen, even on a machine that does much else.
const FROZEN_MS = 5000;
// A scene that the test starts is given this long to get where it is waited for.
const PATIENCE_MS = 120_000;

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url, 'http://localhost').pathname);
  try {
    const file = join(SITE, path === '/' ? 'index.html' : path);
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.end(readFileSync(file));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const url = `http://127.0.0.1:${server.address().port}/`;

const profile = mkdtempSync(join(tmpdir(), 'pliant-web-test-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browser, headless: true, args: FLAGS, viewport: SIZE, deviceScaleFactor: 1,
});
context.setDefaultTimeout(PATIENCE_MS);
mkdirSync(PICTURES, { recursive: true });

let passed = 0;
const failures = [];
async function check(name, body) {
  const start = performance.now();
  try {
    const note = await body();
    passed += 1;
    console.log(`ok      ${name}${note ? `: ${note}` : ''} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures.push(name);
    console.log(`FAILED  ${name}: ${error.message}`);
  }
}
function assert(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

// A page, and what it complained about.
async function open({ before } = {}) {
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  if (before) await page.addInitScript(before);
  await page.goto(url);
  return { page, complaints };
}
const state = (page) => page.evaluate(() => window.pliant?.state());
// Waits until the scene has run for some seconds of its own time; a page that gave up is not waited for.
async function reach(page, secs) {
  const there = (secs) =>
    document.querySelector('#message.failed')?.innerText ?? window.pliant?.state()?.time_secs >= secs;
  const answer = await (await page.waitForFunction(there, secs, { polling: 50 })).jsonValue();
  assert(answer === true, answer);
  return state(page);
}
// The same scene, run as many frames without tools and without a picture.
const control = (page, { scene, time_secs }) =>
  page.evaluate(([scene, secs]) => window.pliant.run(scene, Math.round(secs * 60)), [scene, time_secs]);
const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

// What is seen: pixels of the canvas, as the browser's own decoder reads a screenshot.
const decoder = await context.newPage();
async function shoot(page, name) {
  const png = await page.locator('canvas').screenshot();
  writeFileSync(join(PICTURES, `${name}.png`), png);
  return png.toString('base64');
}
// How two pictures differ: how many pixels do, where these are, and how many colours the first has.
const compare = (first, second) => decoder.evaluate(async ([first, second]) => {
  const pixels = async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(first), await pixels(second)];
  const colours = new Set();
  let [changed, x, y] = [0, 0, 0];
  for (let i = 0; i < a.data.length; i += 4) {
    colours.add((a.data[i] << 16) | (a.data[i + 1] << 8) | a.data[i + 2]);
    if ([0, 1, 2].some((c) => Math.abs(a.data[i + c] - b.data[i + c]) > 12)) {
      changed += 1;
      x += (i / 4) % a.width;
      y += Math.floor(i / 4 / a.width);
    }
  }
  return { changed, x: x / changed, y: y / changed, colours: colours.size };
}, [first, second]);

const { page, complaints } = await open();

await check('the page starts', async () => {
  const start = performance.now();
  const { scene, nodes, triangles } = await reach(page, 0.01);
  assert(await page.locator('#message').isHidden(), 'the loading text is still there');
  assert(nodes > 0 && triangles > 0, `${nodes} nodes, ${triangles} triangles`);
  return `${scene}, ${nodes} nodes, ${triangles} triangles, after ${((performance.now() - start) / 1000).toFixed(1)} s`;
});

await check('the canvas shows a body that moves', async () => {
  const first = await shoot(page, 'first');
  const { time_secs } = await state(page);
  await reach(page, time_secs + 0.3);
  const difference = await compare(first, await shoot(page, 'second'));
  assert(difference.colours > 100, `only ${difference.colours} colours: blank?`);
  assert(difference.changed > 500, `only ${difference.changed} pixels changed`);
  return `${difference.colours} colours, ${difference.changed} pixels changed`;
});

await check('what is shown is what the engine does', async () => {
  const shown = await reach(page, 1.0);
  const expected = await control(page, shown);
  assert(shown.hash === expected.hash, `${shown.hash} after ${shown.time_secs} s, not ${expected.hash}`);
  return `state ${shown.hash} after ${shown.time_secs.toFixed(2)} s`;
});

await check('a drag moves the body', async () => {
  // Once it lies still, it is still where it was when the pointer gets there.
  const { at: [x, y], time_secs } = await reach(page, 3.0);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) {
    await page.mouse.move(x, y - 12 * i);
    await page.waitForTimeout(50);
  }
  const dragged = await reach(page, time_secs + 1.0);
  await shoot(page, 'dragged');
  await page.mouse.up();
  const expected = await control(page, dragged);
  const moved = distance(dragged.centre, expected.centre);
  assert(moved > 0.05 * dragged.size, `moved by ${moved} m only, of a size of ${dragged.size} m`);
  return `${moved.toFixed(3)} m away from where it would be, of a size of ${dragged.size.toFixed(3)} m`;
});

await check('frames keep coming', async () => {
  const gaps = await page.evaluate(() => new Promise((done) => {
    const gaps = [];
    let last = performance.now();
    const start = last;
    const frame = (now) => {
      gaps.push(now - last);
      last = now;
      if (now - start < 5000) requestAnimationFrame(frame);
      else done(gaps);
    };
    requestAnimationFrame(frame);
  }));
  const longest = Math.max(...gaps);
  assert(longest < FROZEN_MS, `nothing for ${longest.toFixed(0)} ms`);
  const { step_ms } = await state(page);
  return `${(gaps.length / 5).toFixed(1)} a second, longest gap ${longest.toFixed(0)} ms, a step takes ${step_ms.toFixed(2)} ms`;
});

await check('every scene runs in a browser', async () => {
  const names = await page.evaluate(() => window.pliant.scenes());
  assert(names.length > 10, `only ${names.length} scenes`);
  const slow = [];
  for (const name of names) {
    const { step_ms, build_ms, nodes } = await page.evaluate((name) => window.pliant.run(name, 5), name);
    assert(nodes > 0, `${name} has no nodes`);
    slow.push([step_ms, `${name} ${step_ms.toFixed(1)} ms a step, built in ${build_ms.toFixed(0)} ms`]);
  }
  slow.sort((a, b) => b[0] - a[0]);
  return `${names.length} scenes, slowest ${slow[0][1]}`;
});

// What the same sources compute elsewhere: `golden_hashes.rs` holds native builds to this table. Hashes by scene and frame.
const golden = new Map(
  readFileSync('crates/pliant-scenes/tests/golden-hashes.txt', 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(/\s+/))
    .map(([scene, ...hashes]) => [scene, { 0: hashes[0], 60: hashes[1], 240: hashes[2] }]),
);
// Scenes whose hash after some frames is not that of the table.
async function differing(scenes, frames) {
  const wrong = [];
  for (const scene of scenes) {
    const { hash } = await page.evaluate(([scene, frames]) => window.pliant.run(scene, frames), [scene, frames]);
    const expected = golden.get(scene)?.[frames];
    if (hash !== expected) wrong.push(`${scene}: ${hash}, not ${expected}`);
  }
  return wrong;
}

await check('every scene starts with the bits it has on a computer', async () => {
  const scenes = await page.evaluate(() => window.pliant.scenes());
  const wrong = await differing(scenes, 0);
  assert(wrong.length === 0, wrong.join('\n'));
  return `${scenes.length} scenes`;
});

await check('a browser computes the same bits as a computer', async () => {
  // Every model, copies that tumble, wind, plasticity, a blade, scissors, and a rigid body.
  const scenes = [
    'jelly-cubes', 'small-objects', 'stars-in-wind', 'plastic-bear', 'hand-uniform', 'hand-adaptive', 'flowers-in-wind',
    'cylinder-out-of-cube', 'scissors-fish', 'torn-sheet', 'trampoline',
  ];
  const wrong = await differing(scenes, 60);
  assert(wrong.length === 0, wrong.join('\n'));
  return `${scenes.join(', ')} after 60 frames`;
});

await check('there was no error', async () => {
  assert(complaints.length === 0, complaints.join('\n'));
});

await check('a failure is told where users see it', async () => {
  const { page } = await open();
  await page.waitForFunction(() => window.pliant?.state());
  await page.evaluate(() => { try { window.pliant.fail('on purpose'); } catch { /* it is meant to */ } });
  const text = await page.locator('#message.failed').innerText();
  assert(text.includes('on purpose'), text);
});

await check('a browser without WebGL2 is told so', async () => {
  const { page } = await open({
    before: () => {
      const context = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === 'webgl2' ? null : context.call(this, kind, ...rest);
      };
    },
  });
  const text = await page.locator('#message.failed').innerText();
  assert(text.includes('WebGL2'), text);
});

await context.close();
server.close();
rmSync(profile, { recursive: true, force: true });
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length ? 1 : 0;
