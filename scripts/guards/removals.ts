/** Takes a guard out: puts what stands there without it in the place of a text that stands once in the file. */
export interface Removal {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Only tests that open a build notice it. */
  readonly isBuilt?: true;
}

/** Says how the guards of one attack of docs/guards.md are taken out, each by itself. */
interface AttackRemovals {
  /** How the attack's sentence begins. */
  readonly attack: string;
  readonly removals: readonly Removal[];
}

export const removalsByAttack: readonly AttackRemovals[] = [
  {
    attack: 'A license and a certificate of different sellers',
    removals: [
      {
        file: 'core/license/verify.ts',
        from: `  if (a.kind !== b.kind) return false;
`,
        to: '',
      },
      {
        file: 'core/license/verify.ts',
        from: 'return a.group === b.group;',
        to: 'return true;',
      },
      {
        file: 'core/license/inspect/documents.ts',
        from: 'return omitUndefined({ isForeign: true, license: beside });',
        to: 'return ownOf(beside);',
      },
      {
        file: 'core/license/document-verifier.ts',
        from: "if (!isSameAuthority(certificate.signed.authority, license.signed.authority)) return 'signer';",
        to: '',
      },
    ],
  },
  {
    attack: 'A key that is limited to products vouches for others',
    removals: [
      {
        file: 'core/license/verify.ts',
        from: "return products.includes(product) ? undefined : { kind: 'other-product', key, label };",
        to: 'return undefined;',
      },
      {
        file: 'core/license/verify.ts',
        from: "if (product === undefined) return { kind: 'no-product', key, label };",
        to: 'if (product === undefined) return undefined;',
      },
    ],
  },
  {
    attack: 'A certificate that shares only its domain',
    removals: [
      {
        file: 'core/license/inspect/checks.ts',
        from: "check(id, 'warn', 'domain-alone', { bound: certificate.domain })",
        to: "check(id, 'pass', 'agrees')",
      },
      {
        file: 'core/license/inspect/checks.ts',
        from: "check(id, 'warn', 'nothing-shared')",
        to: "check(id, 'pass', 'agrees')",
      },
      {
        file: 'core/license/inspect/checks.ts',
        from: 'const [first] = differing;',
        to: 'const [, first] = differing;',
      },
    ],
  },
  {
    attack: 'A certificate revives an expired license',
    removals: [
      {
        file: 'core/license/inspect/inspect.ts',
        from: 'if (verified?.expiresAt !== undefined && verified.expiresAt <= moment) {',
        to: 'if (false) {',
      },
      {
        file: 'core/license/inspect/inspect.ts',
        from: "if (verified?.unreadable.includes('expires_at') === true) {",
        to: 'if (false) {',
      },
    ],
  },
  {
    attack: 'The order of the files brings an older certificate back',
    removals: [
      {
        file: 'core/license/standing.ts',
        from: '(a.raw === b.raw ? 0 : a.raw < b.raw ? -1 : 1)',
        to: '0',
      },
      {
        file: 'core/license/inspect/documents.ts',
        from: 'return first === undefined || second === undefined ? 0 : compareCertificates(second, first);',
        to: 'return 0;',
      },
    ],
  },
  {
    attack: 'A document without a readable date passes',
    removals: [
      {
        file: 'core/license/verify.ts',
        from: "if (isLimitedInTime(key) && (isUnclear || document.unreadable.includes('issued_at'))) {",
        to: 'if (false) {',
      },
      {
        file: 'core/license/verify.ts',
        from: "['no-issue-date', isLimitedInTime(key) && document.issuedAt === undefined],",
        to: "['no-issue-date', false],",
      },
    ],
  },
  {
    attack: "A customer's own unsigned record opens grace",
    removals: [
      {
        file: 'core/license/inspect/inspect.ts',
        from: "if (standing === 'grace' && grace === 'open-stated') return { id: 'grace-stated', data };",
        to: '',
      },
    ],
  },
  {
    attack: 'A slot named for a certificate holds something else',
    removals: [
      {
        file: 'core/license/extract/find-artifacts.ts',
        from: "if (typeof value === 'string' && this.#readCompactSlot(value, where, slot)) return;",
        to: '',
      },
      {
        file: 'core/license/extract/find-artifacts.ts',
        from: 'if (found.length === 0) this.#keepDamaged(value, where, slot, oddities);',
        to: '',
      },
      {
        file: 'core/license/extract/find-artifacts.ts',
        from: 'one.meant === undefined ? { ...one, ...slot } : one',
        to: 'one',
      },
    ],
  },
  {
    attack: 'A genuine document under a key that is not pinned',
    removals: [
      {
        file: 'core/license/verify.ts',
        from: "? { kind: 'unknown-key', keyId, tried: keys.length }",
        to: "? { kind: 'no-key-matches', tried: keys.length }",
      },
      {
        file: 'core/license/verify.ts',
        from: ": { kind: 'named-key-fails', key: named.id, label: named.label };",
        to: ": { kind: 'unknown-key', keyId, tried: keys.length };",
      },
    ],
  },
  {
    attack: 'A document that is not verified lends a tick',
    removals: [
      {
        file: 'core/license/inspect/checks.ts',
        from: 'return document !== undefined && document.verified === undefined;',
        to: 'return false;',
      },
      {
        file: 'core/verifier/verifier.ts',
        from: 'inspection.license?.genuine === true ? inspection.license.says : undefined',
        to: 'inspection.license?.says',
      },
      {
        file: 'components/verifier/result/result-texts.ts',
        from: "if (key === 'raw') return undefined;",
        to: '',
      },
      {
        file: 'components/verifier/result/result-texts.ts',
        from: "typeof value === 'object' && value !== null && 'genuine' in value && value.genuine !== true;",
        to: 'false;',
      },
    ],
  },
  {
    attack: 'A weak or torsion key in the ring',
    removals: [
      {
        file: 'core/keys/ed25519.ts',
        from: "return point.isTorsionFree() ? undefined : 'torsion';",
        to: 'return undefined;',
      },
      {
        file: 'core/keys/ed25519.ts',
        from: 'judgeRawKey(bytes) === undefined ? bytes : undefined',
        to: 'bytes.length === 32 ? bytes : undefined',
      },
    ],
  },
  {
    attack: 'A domain with hidden characters reads like another',
    removals: [
      {
        file: 'core/license/inspect/checks.ts',
        from: "if (hasHiddenCharacters(bound)) return check('domain', 'fail', 'hidden-characters', { bound });",
        to: '',
      },
    ],
  },
  {
    attack: 'A help desk page reads a verdict with',
    removals: [
      {
        file: 'components/chips/overlay.ts',
        from: "button.ariaDescription = chip.until ?? '';",
        to: 'button.append(chip.label);',
        isBuilt: true,
      },
    ],
  },
  {
    attack: 'A help desk page asks without end',
    removals: [
      {
        file: 'background/ticket/tickets.ts',
        from: 'if (!opens.take(tabId, now())) return Promise.resolve(null);',
        to: '',
      },
      {
        file: 'background/ticket/tickets.ts',
        from: 'if (!checks.take(asker.tabId, now(), cost)) return null;',
        to: '',
      },
      {
        file: 'background/ticket/tickets.ts',
        from: 'const may = lately.length + points <= perMinute;',
        to: 'const may = true;',
      },
    ],
  },
  {
    attack: 'A help desk page learns a verdict from the time',
    removals: [
      {
        file: 'background/ticket/tickets.ts',
        from: 'if (moment !== undefined) await dependencies.pause(moment - taken);',
        to: '',
      },
      {
        file: 'background/ticket/tickets.ts',
        from: 'return report && Math.abs(now() - report.checkedAt) < rememberedMs ? report : undefined;',
        to: 'return undefined;',
      },
    ],
  },
  {
    attack: 'A help desk page opens, reads or clicks a chip',
    removals: [
      {
        file: 'components/chips/overlay.ts',
        from: 'if (event.isTrusted) clicked();',
        to: 'clicked();',
      },
      {
        file: 'components/chips/overlay.ts',
        from: "mode: 'closed'",
        to: "mode: 'open'",
        isBuilt: true,
      },
    ],
  },
  {
    attack: 'A reply goes into another ticket',
    removals: [
      {
        file: 'background/ticket/replies.ts',
        from: "if (ticketAddressOf(inFront) !== ticket.address) return 'other-ticket';",
        to: '',
      },
      {
        file: 'adapters/browser/insert-into-reply.ts',
        from: "if (!isTheTicket()) return 'other-ticket';",
        to: '',
      },
      {
        file: 'stores/ticket/ticket.ts',
        from: 'const done = isSame',
        to: 'const done = front !== undefined',
      },
    ],
  },
  {
    attack: "A seller's picture, video or sound",
    removals: [
      {
        file: 'core/address/local-host.ts',
        from: "return !host.includes('.') || localName.test(host);",
        to: 'return false;',
      },
      {
        file: 'core/items/media.ts',
        from: "if (!isOwn && isLocalHost(url.hostname)) return 'nobody';",
        to: '',
      },
      {
        file: 'background/items/items-handlers.ts',
        from: "if (fetcher === 'nobody' || !(await permissions",
        to: 'if (!(await permissions',
      },
      {
        file: 'wxt.config.ts',
        from: `"img-src 'self' data: https:",`,
        to: `"img-src 'self' data: https: http:",`,
        isBuilt: true,
      },
    ],
  },
  {
    attack: 'What a server calls a picture',
    removals: [
      {
        file: 'core/items/media.ts',
        from: "(svg.test(head) ? 'image/svg+xml' : undefined)",
        to: "'image/svg+xml'",
      },
      {
        file: 'background/items/items-handlers.ts',
        from: 'maxBytes: maxMediaBytes,',
        to: 'maxBytes: Infinity,',
      },
    ],
  },
  {
    attack: 'A link or a redirect makes the browser fetch',
    removals: [
      {
        file: 'background/ticket/link-inspection.ts',
        from: 'const frameId = siteOriginOf(pageUrl) === origin ? 0 : inFrame;',
        to: 'const frameId = inFrame ?? 0;',
      },
      {
        file: 'background/ticket/link-inspection.ts',
        from: ' || (await sites.find(origin)) === undefined',
        to: '',
      },
      {
        file: 'adapters/browser/linked-files.ts',
        from: 'if (length > maxBytes) {',
        to: 'if (false) {',
        isBuilt: true,
      },
    ],
  },
  {
    attack: "A seller's server repeats the API key",
    removals: [
      {
        file: 'background/seller/seller-client.ts',
        from: 'return hideKey(call.read(reply, now()), apiKey);',
        to: 'return call.read(reply, now());',
      },
      {
        file: 'core/connections/api-key.ts',
        from: "rest.replaceAll(secret, '••••')",
        to: 'rest',
      },
    ],
  },
  {
    attack: "A license leaves the verifier's page",
    removals: [
      {
        file: 'core/site/content-security-policy.ts',
        from: `"connect-src 'self'",`,
        to: "'connect-src *',",
        isBuilt: true,
      },
    ],
  },
  {
    attack: 'A license leaves a verify worker',
    removals: [
      {
        file: 'adapters/verify-worker/network-removal.ts',
        from: `  'fetch',
`,
        to: '',
        isBuilt: true,
      },
    ],
  },
  {
    attack: "The verifier's site is framed",
    removals: [
      {
        file: 'pwa/app.ts',
        from: 'createApp(isFramed ? FrameNotice : VerifierApp)',
        to: 'createApp(VerifierApp)',
        isBuilt: true,
      },
    ],
  },
  {
    attack: 'A script of another place runs',
    removals: [
      {
        file: 'adapters/browser/trusted-scripts.ts',
        from: "if (!isOurOrigin || search !== '' || !ours.test(pathname))",
        to: 'if (false)',
      },
    ],
  },
  {
    attack: "A foreign site's form replaces",
    removals: [
      {
        file: 'core/site/share-rule.ts',
        from: "const hasForeignOrigin = origin !== null && origin !== 'null' && origin !== own;",
        to: 'const hasForeignOrigin = false;',
      },
      {
        file: 'core/site/share-rule.ts',
        from: ' || (URL.canParse(referrer) && new URL(referrer).origin !== own)',
        to: '',
      },
      {
        file: 'adapters/browser/waiting-files.ts',
        from: 'return [...waiting, {',
        to: 'return [{',
      },
      {
        file: 'pwa/worker/service-worker.ts',
        from: 'if (isForeignShare(sender, self.location.origin))',
        to: 'if (false)',
        isBuilt: true,
      },
    ],
  },
  {
    attack: 'A share or a file without end',
    removals: [
      {
        file: 'adapters/http/read-body.ts',
        from: 'if (size > limit) {',
        to: 'if (false) {',
      },
      {
        file: 'core/verifier/verifier.ts',
        from: 'if (parts.some(({ size }) => size > fileLimitBytes)) {',
        to: 'if (false) {',
      },
    ],
  },
  {
    attack: 'A description of many script tags',
    removals: [
      {
        file: 'core/reading/html.ts',
        from: String.raw`[^>]*>?|$)/;`,
        to: String.raw`[^>]*>?)/;`,
      },
    ],
  },
  {
    attack: 'A text of one repeated character',
    removals: [
      {
        file: 'core/codes/find-codes.ts',
        from: 'if (code.length > maxLength || !brokenAfterDash.test(text)) break;',
        to: 'if (!brokenAfterDash.test(text)) break;',
      },
      {
        file: 'core/encoding/bytes.ts',
        from: '(?<!=)=+$',
        to: '=+$',
      },
      {
        file: 'core/reply-templates/fill-template.ts',
        from: '|(?<!\\s)\\s*\\{agent\\}(?=\\s*$)',
        to: '|\\s*\\{agent\\}(?=\\s*$)',
      },
    ],
  },
  {
    attack: 'A cell of a CSV export becomes a formula',
    removals: [
      {
        file: 'core/text/csv.ts',
        from: `(firstFormula.test(cell) ? "'" : '') + `,
        to: '',
      },
      {
        file: 'core/text/csv.ts',
        from: `cell.replaceAll(laterFormula, "$&'")`,
        to: 'cell',
      },
    ],
  },
  {
    attack: "A stranger's text becomes a link",
    removals: [
      {
        file: 'core/text/inline-text.ts',
        from: '.replaceAll(linkJoint, `$&${parting}`)',
        to: '',
      },
      {
        file: 'core/text/inline-text.ts',
        from: '.replaceAll(mention, `$&${parting}`)',
        to: '',
      },
      {
        file: 'components/check/answer/summary.ts',
        from: 'name: inlineText(item.name),',
        to: 'name: item.name,',
      },
      {
        file: 'core/reply-templates/fill-template.ts',
        from: "if (format === 'plain') return inlineText(value);",
        to: "if (format === 'plain') return value;",
      },
      {
        file: 'components/verifier/result/result-texts.ts',
        from: 'return inlineMarkdown(visibleText(value));',
        to: 'return value;',
      },
    ],
  },
  {
    attack: 'A control or direction character',
    removals: [
      {
        file: 'core/text/visible-text.ts',
        from: 'return text.replace(hidden, codePointOf);',
        to: 'return text;',
      },
    ],
  },
  {
    attack: 'A genuine customer is called refunded',
    removals: [
      {
        file: 'core/history/entry.ts',
        from: "return sameSpelling ? ['vanished'] : [];",
        to: "return ['vanished'];",
      },
      {
        file: 'core/codes/code-spelling.ts',
        from: "const likely = groups === null ? inCapitals(code.trim()) : groups.slice(1).join('-');",
        to: 'const likely = code;',
      },
    ],
  },
  {
    attack: 'An odd field costs a genuine customer',
    removals: [
      {
        file: 'core/marketplaces/wire.ts',
        from: 'if (readable === undefined) note(name);',
        to: '',
      },
      {
        file: 'core/marketplaces/wire.ts',
        from: "return decimal.test(value.trim()) ? Number(value.replaceAll(',', '')) : undefined;",
        to: "return Number(value.replaceAll(',', ''));",
      },
      {
        file: 'core/marketplaces/seller-api/reader.ts',
        from: 'supported_until: optionalMoment,',
        to: 'supported_until: v.fallback(optionalMoment, undefined),',
      },
    ],
  },
  {
    attack: 'A key that was replaced makes genuine codes',
    removals: [
      {
        file: 'background/seller/validation.ts',
        from: `if (access.provesKeyLater === true) return succeed('unknown');
    return accounts.checkKeyAfter(access, answeredAt);`,
        to: `if (access.provesKeyLater === true) return succeed('unknown');
    return succeed('good');`,
      },
      {
        file: 'background/bulk/bulk-runner.ts',
        from: 'const isBelieved = !isUnproven(finished);',
        to: 'const isBelieved = true;',
      },
      {
        file: 'background/bulk/bulk-runner.ts',
        from: 'isDone ? await run.lastUnproven() : []',
        to: '[]',
      },
    ],
  },
  {
    attack: 'A refresh that fails takes the known answer away',
    removals: [
      {
        file: 'stores/check/check.ts',
        from: 'const keepsAnswer = !outcome.ok && pendingCheck.report?.outcome.ok === true;',
        to: 'const keepsAnswer = false;',
      },
    ],
  },
  {
    attack: 'Genuine codes of a long file are cut',
    removals: [
      {
        file: 'core/text/delimited.ts',
        from: 'else if (isLast || end + 1 < rest.length) records',
        to: 'else if (end < rest.length) records',
      },
      {
        file: 'adapters/http/http-exchange.ts',
        from: 'whole.set(piece, at);',
        to: 'whole.set(piece);',
      },
    ],
  },
  {
    attack: 'The API key reaches a page',
    removals: [
      {
        file: 'messaging/serve.ts',
        from: "if (!rule.from.includes(asker.name)) return fail('not-yours');",
        to: '',
      },
    ],
  },
  {
    attack: 'Stored ciphertext of one connection',
    removals: [
      {
        file: 'adapters/secrets/wrapping.ts',
        from: "['counterfoil/api-key/1', binding.connectionId, binding.baseAddress]",
        to: "['counterfoil/api-key/1', binding.baseAddress]",
      },
    ],
  },
  {
    attack: 'A key goes to another path of a shared host',
    removals: [
      {
        file: 'adapters/secrets/secret-store.ts',
        from: 'return key.baseAddress === baseAddress;',
        to: 'return true;',
      },
      {
        file: 'adapters/secrets/wrapping.ts',
        from: "['counterfoil/api-key/1', binding.connectionId, binding.baseAddress]",
        to: "['counterfoil/api-key/1', binding.connectionId]",
      },
    ],
  },
  {
    attack: 'A settings file turns a key in a header',
    removals: [
      {
        file: 'core/import-settings.ts',
        from: 'const keepsHeader = weakensPlacement(before.dialect, one.dialect) && hasKey(id);',
        to: 'const keepsHeader = false;',
      },
      {
        file: 'core/import-settings.ts',
        from: 'const proven = staysProven(before, { ...one, dialect });',
        to: 'const { proven } = one.dialect;',
      },
      {
        file: 'core/import-settings.ts',
        from: 'return one.baseAddress === other.baseAddress && isSameNamed(one, other);',
        to: 'return isSameNamed(one, other);',
      },
    ],
  },
  {
    attack: 'A settings file brings a public key',
    removals: [
      {
        file: 'core/import-settings.ts',
        from: 'return { ...one, id, kind };',
        to: 'return { ...one, id };',
      },
      {
        file: 'core/import-settings.ts',
        from: 'return one.address === other.address && isSameNamed(one, other);',
        to: 'return isSameNamed(one, other);',
      },
    ],
  },
  {
    attack: 'A policy brings a secret',
    removals: [
      {
        file: 'core/policy/policy.ts',
        from: "if (secret !== undefined) return fail({ kind: 'holds-secret', path: secret });",
        to: '',
      },
      {
        file: 'core/policy/policy.ts',
        from: 'if ((await fingerprintOf(raw)) !== fingerprint)',
        to: 'if (false)',
      },
      {
        file: 'background/policy/apply-policy.ts',
        from: 'if (isApplied) return succeed(undefined);',
        to: 'if (isApplied || policy !== null) return succeed(undefined);',
      },
    ],
  },
  {
    attack: "An agent's browser stores or uses a key",
    removals: [
      {
        file: 'background/policy/policy-text.ts',
        from: '(await isUnmet()) ? refused : secrets.writeWith(',
        to: 'secrets.writeWith(',
      },
      {
        file: 'background/policy/policy-text.ts',
        from: `(await isUnmet())
        ? fail({ kind: 'no-key', because: 'key-storage-demanded' })
        : secrets.read(binding)`,
        to: 'secrets.read(binding)',
      },
    ],
  },
  {
    attack: 'The answer of a check that a lock overtakes',
    removals: [
      {
        file: 'background/seller/access.ts',
        from: 'return () => secrets.lockGeneration() !== generation;',
        to: 'return () => false;',
      },
      {
        file: 'adapters/storage/session-cache.ts',
        from: 'if (isOutdated()) return true;',
        to: '',
      },
      {
        file: 'adapters/storage/session-cache.ts',
        from: 'if (isOutdated()) await area.remove(key);',
        to: '',
      },
    ],
  },
  {
    attack: 'A foreign site, or another browser, sends the forms',
    removals: [
      {
        file: 'relay/join/join-routes.ts',
        from: 'if (incoming.headers.origin !== origin()) {',
        to: 'if (false) {',
      },
      {
        file: 'relay/join/join-routes.ts',
        from: 'sameHash(token, hashOf(joining.browser.csrfToken))',
        to: 'token.length > 0',
      },
      {
        file: 'relay/join/join-routes.ts',
        from: ' || !sameHash(browser.hash, join.hash)',
        to: '',
      },
    ],
  },
  {
    attack: 'A text or a reply of one call at a relay',
    removals: [
      {
        file: 'relay/calls/answer-call.ts',
        from: "isConnectionId(asked.connection) ? asked.connection : ''",
        to: 'asked.connection',
      },
      {
        file: 'relay/calls/answer-call.ts',
        from: '.toWellFormed()',
        to: '',
      },
    ],
  },
  {
    attack: 'An invite or a one-time code of a relay',
    removals: [
      {
        file: 'relay/store/join-store.ts',
        from: 'DELETE FROM invite WHERE id = ${invite}',
        to: 'SELECT 1 FROM invite WHERE id = ${invite}',
      },
      {
        file: 'relay/store/join-store.ts',
        from: `RETURNING 1\`,
          ];
          if (!used?.length) return [false];`,
        to: `RETURNING 1\`,
          ];`,
      },
      {
        file: 'relay/store/join-store.ts',
        from: 'const use = sql`DELETE FROM join_code WHERE id = ${id}`;',
        to: 'const use = sql`SELECT 1`;',
      },
      {
        file: 'relay/store/join-store.ts',
        from: 'FROM invite WHERE id = ${id} AND expires_at > clock()',
        to: 'FROM invite WHERE id = ${id}',
      },
      {
        file: 'relay/store/join-store.ts',
        from: 'WHERE join_code.id = ${id} AND expires_at > clock()',
        to: 'WHERE join_code.id = ${id}',
      },
    ],
  },
  {
    attack: "A stranger signs in at the team's provider",
    removals: [
      {
        file: 'relay/join/openid.ts',
        from: 'expectedNonce: openId.nonce,',
        to: '',
      },
      {
        file: 'relay/join/openid.ts',
        from: 'pkceCodeVerifier: openId.verifier,',
        to: '',
      },
    ],
  },
  {
    attack: 'A page other than the join tab',
    removals: [
      {
        file: 'background/team/joining.ts',
        from: 'tab.id !== tabId || ',
        to: '',
      },
      {
        file: 'background/team/joining.ts',
        from: ' || !tab.url.startsWith(end)',
        to: '',
      },
      {
        file: 'background/team/joining.ts',
        from: "result.get('state') === state ? result.get('code') : undefined",
        to: "result.get('code')",
      },
    ],
  },
  {
    attack: 'A seized relay hands out settings',
    removals: [
      {
        file: 'core/team/team-settings.ts',
        from: "if (key !== known.settingsKey) return fail({ kind: 'other-signer', key });",
        to: '',
      },
      {
        file: 'core/team/team-settings.ts',
        from: "if (relay !== known.relay) return fail({ kind: 'other-relay', relay });",
        to: '',
      },
      {
        file: 'core/team/team-settings.ts',
        from: "if (version < known.version) return fail({ kind: 'older-version', version });",
        to: '',
      },
    ],
  },
  {
    attack: 'An outage or a refusal of the relay reads',
    removals: [
      {
        file: 'core/team/relay-failure.ts',
        from: "return { kind: 'relay-upstream', because: 'unreachable', ...omitUndefined({ cause }), ...again };",
        to: 'return undefined;',
      },
    ],
  },
  {
    attack: "An agent has an answer of a team's relay without a row",
    removals: [
      {
        file: 'relay/store/serving-store.ts',
        from: 'else if (said !== undefined && isLocked && holds()) return beginReply(one, released);',
        to: 'else if (released) return beginReply(one, released);',
      },
      {
        file: 'relay/store/serving-store.ts',
        from: 'else if (holds()) return beginReply(one, released);',
        to: 'else if (released) return beginReply(one, released);',
      },
    ],
  },
  {
    attack: 'A full disk keeps a token',
    removals: [
      {
        file: 'relay/store/sqlite.ts',
        from: 'if (anyway && error instanceof DiskFull && freeReserve(reserve)) return write(work);',
        to: '',
      },
    ],
  },
  {
    attack: 'A relay goes on serving from a database that was moved',
    removals: [
      {
        file: 'relay/store/sqlite.ts',
        from: 'PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE',
        to: 'BEGIN IMMEDIATE',
      },
    ],
  },
  {
    attack: "The relay's serving role adds an agent",
    removals: [
      {
        file: 'relay/store/schema.ts',
        from: 'GRANT UPDATE (role) ON agent TO',
        to: 'GRANT INSERT, UPDATE ON agent TO',
      },
      {
        file: 'relay/store/schema.ts',
        from: 'WHEN (OLD.revoked_at <> 0 OR NEW.revoked_at = 0)',
        to: 'WHEN (false)',
      },
      {
        file: 'relay/store/schema.ts',
        from: 'CHECK (expires_at <= signed_in_at + ${String(tokenMaxMs)})',
        to: 'CHECK (true)',
      },
    ],
  },
  {
    attack: 'A client that reads nothing',
    removals: [
      {
        file: 'relay/http/server.ts',
        from: `if (connection.response !== undefined) {
      socket.destroy();
      return;
    }`,
        to: '',
      },
      {
        file: 'relay/http/server.ts',
        from: 'socket.setTimeout(stillMs);',
        to: '',
      },
      {
        file: 'relay/http/gate.ts',
        from: 'if (!isFree()) return false;',
        to: '',
      },
      {
        file: 'relay/http/gate.ts',
        from: 'client.calls >= most || ',
        to: '',
      },
      {
        file: 'relay/upstream/send.ts',
        from: "if (more > large.most - large.bytes) return fail('pace');",
        to: '',
      },
    ],
  },
  {
    attack: 'A connection of a relay that was removed',
    removals: [
      {
        file: 'relay/store/admin-store.ts',
        from: "Buffer.from(sealed.subarray(0, 12)).toString('hex')",
        to: 'String(sealed.length > 0)',
      },
    ],
  },
  {
    attack: "One agent's questions pause a seller",
    removals: [
      {
        file: 'relay/calls/ask-upstream.ts',
        from: "'upstream-too-large': 'up',",
        to: "'upstream-too-large': 'down',",
      },
      {
        file: 'relay/upstream/send.ts',
        from: "if (endUse === undefined) return fail('pace');",
        to: "if (endUse === undefined) return fail('upstream-unreachable');",
      },
    ],
  },
  {
    attack: 'JSON nested without end',
    removals: [
      {
        file: 'core/text/json.ts',
        from: 'if (isTooDeep(text)) return undefined;',
        to: '',
      },
    ],
  },
  {
    attack: "A reply of a seller's debug page",
    removals: [
      {
        file: 'relay/calls/echoed-key.ts',
        from: 'if ([key, ...encoded].some((form) => text.includes(form))) return true;',
        to: '',
      },
      {
        file: 'relay/calls/echoed-key.ts',
        from: 'const maxDepth = 4;',
        to: 'const maxDepth = 1;',
      },
    ],
  },
  {
    attack: "Somebody else's e-mail address",
    removals: [
      {
        file: 'relay/join/email.ts',
        from: 'email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())',
        to: 'email.toLowerCase()',
      },
    ],
  },
  {
    attack: 'A cookie of a join with another secret',
    removals: [
      {
        file: 'relay/join/join-routes.ts',
        from: ' || !sameHash(browser.hash, join.hash)',
        to: '',
      },
      {
        file: 'relay/settings.ts',
        from: '(stat.mode & 0o007) !== 0',
        to: 'false',
      },
    ],
  },
  {
    attack: 'The worker of an older build answers',
    removals: [
      {
        file: 'messaging/serve.ts',
        from: "if (v.is(stated, message) && message.build !== self.build) return fail('other-build');",
        to: '',
      },
      {
        file: 'adapters/storage/storage-area.ts',
        from: 'if (!mayWrite()) throw new OutdatedBuild();',
        to: '',
      },
    ],
  },
  {
    attack: 'A package that is shipped or used to build',
    removals: [
      {
        file: 'install.mjs',
        from: "npm('ci', '--ignore-scripts', ",
        to: "npm('ci', ",
      },
    ],
  },
  {
    attack: "A seller's answer runs as a page of the relay",
    removals: [
      {
        file: 'relay/http/messages.ts',
        from: `"default-src 'none'; sandbox"`,
        to: `"default-src 'none'"`,
      },
    ],
  },
  {
    attack: 'An address that a provider has not confirmed',
    removals: [
      {
        file: 'relay/join/openid.ts',
        from: 'return verified === true',
        to: 'return verified !== false',
      },
      {
        file: 'relay/join/openid.ts',
        from: 'client.enableNonRepudiationChecks,',
        to: '',
      },
      {
        file: 'relay/join/openid.ts',
        from: 'if (!sameHash(hashOf(state), hashOf(browser.openId.state))) {',
        to: 'if (false) {',
      },
    ],
  },
  {
    attack: 'Other accounts of the machine read the master key',
    removals: [
      {
        file: 'relay/keys/keyring.ts',
        from: '(stat.mode & 0o077) !== 0',
        to: '(stat.mode & 0o007) !== 0',
      },
    ],
  },
  {
    attack: 'A page that opened the join keeps hold',
    removals: [
      {
        file: 'relay/join/pages.ts',
        from: "'Cross-Origin-Opener-Policy': 'same-origin',",
        to: '',
      },
    ],
  },
  {
    attack: 'A text that waits for its view',
    removals: [
      {
        file: 'adapters/storage/handoffs.ts',
        from: 'return now - left.at < textLifetimeMs ? left : undefined;',
        to: 'return left;',
      },
    ],
  },
  {
    attack: "A team's settings pass as a license",
    removals: [
      {
        file: 'core/license/document/envelope.ts',
        from: "if (text.startsWith(teamSettingsPrefix)) return 'team-settings';",
        to: '',
      },
    ],
  },
  {
    attack: 'A relay says that an answer is older',
    removals: [
      {
        file: 'adapters/http/http-exchange.ts',
        from: 'Math.min(seconds * 1000, dayMs)',
        to: 'seconds * 1000',
      },
    ],
  },
  {
    attack: 'A name of a seller leads to a public and to a private',
    removals: [
      {
        file: 'relay/upstream/send.ts',
        from: 'addresses.some(({ address }) => isPrivateAddress(address))',
        to: 'isPrivateAddress(first.address)',
      },
      {
        file: 'relay/upstream/send.ts',
        from: '...(mayBePrivate ? {} : { lookup: publicLookup }),',
        to: '',
      },
    ],
  },
];
