import { html } from 'hono/html';

import { type Html, layout } from '#sandbox/pages/layout';
import { sampleCodes } from '#sandbox/seed/sample-codes';

const demo = sampleCodes('/demo');
const market = sampleCodes('/market');

/** Lists the shapes in which help desks and mails set a code among other words, each a mail of its own. */
export const codeShapes: readonly (readonly [name: string, mail: Html])[] = [
  [
    'A table with a next column',
    html`<table>
      <tr>
        <td>1</td>
        <td>${demo.supported}</td>
        <td>the old shop, on the server in Oslo, since the spring before last</td>
      </tr>
      <tr>
        <td>2</td>
        <td>${demo.lapsed}</td>
        <td>the new shop</td>
      </tr>
    </table>`,
  ],
  [
    'Words after an element',
    html`<p><b>${demo.supported}</b> is the code of the first site.</p>
      <p>
        <a href="/desk">${demo.lapsed}</a> is the code of the second site, which is the one that no
        longer shows any invoice, as far as I can see.
      </p>
      <p><code>${demo.noSupport}</code> is the third, thanks.</p>
      <p><font>${demo.extended}</font> <i>and</i> this one too.</p>`,
  ],
  [
    'A mail from right to left',
    html`<div dir="rtl">
      <p>مرحباً، رمز الشراء هو ${market.rightToLeft} والموقع يعمل على الخادم الجديد.</p>
      <p>${demo.supported} هذا هو الرمز الثاني والموقع يعمل على الخادم القديم منذ العام الماضي.</p>
    </div>`,
  ],
  [
    'Long running text',
    html`<p>
      We moved the site in spring and since then nothing works as before, although the code
      ${demo.supported} was entered again, and the other one, ${demo.lapsed}, as well; the log says
      that the license could not be read, and the page with the invoices stays empty for everybody
      but the administrator, who sees those of the last year only.
    </p>`,
  ],
  [
    'A list of mails whose parts are displayed as blocks',
    html`<ul class="mails">
      <li><span>342 B</span><a href="/desk">${demo.supported}</a><span>yesterday</span></li>
      <li><span>17 kB</span><a href="/desk">${demo.lapsed}</a><span>on Monday</span></li>
    </ul>`,
  ],
  [
    'Tight lines, and words that a pointer does not reach',
    html`<pre class="tight">
Key of the old site, as it was sent:
${demo.supported} (since 2019)
${demo.lapsed}
Key of the new site follows tomorrow, when the invoice is paid.</pre>
      <p class="untouchable">${demo.noSupport} <span>is what the invoice says</span></p>`,
  ],
];

export function shapesPage(): Html {
  return layout(
    'Codes among other words',
    html`<main data-desk>
      <h1>Codes among other words</h1>
      ${codeShapes.map(
        ([name, mail]) =>
          html`<article class="card" data-message aria-label="${name}">
            <p class="meta">${name}</p>
            ${mail}
          </article>`,
      )}
    </main>`,
  );
}
