// Opens pages in a real Chromium: `node browser.mjs <browser> <folder> <address>...`; what each leaves in `window.seen`, as a
// line of JSON. A page of `verify.html` is first given the file `log.ndjson` of the folder, and left with its verdict.

import { chromium } from "playwright-core";

const [executablePath, folder, ...addresses] = process.argv.slice(2);
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args });
try {
  for (const address of addresses) {
    const page = await browser.newPage();
    const said = [];
    page.on("pageerror", (error) => said.push(`${error}`));
    page.on("console", (message) => { if (message.type() === "error") said.push(message.text()); });
    await page.goto(address);
    if (address.includes("verify.html")) {
      await page.setInputFiles("#file", `${folder}/log.ndjson`);
      await page.waitForFunction(() => document.querySelector("#result").className !== "", null, { timeout: 60_000 });
      const seen = await page.evaluate(() => ({ verdict: document.querySelector("#result").className,
        text: document.querySelector("#result").textContent }));
      console.log(JSON.stringify({ ...seen, said }));
    } else {
      await page.waitForFunction(() => window.seen, null, { timeout: 120_000 });
      console.log(JSON.stringify({ ...(await page.evaluate(() => window.seen)), said }));
    }
    await page.close();
  }
} finally {
  await browser.close();
}
