/** Takes a guard out: puts what stands there without it in the place of a text that stands once in the file. */
export interface Removal {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Only tests that open a build notice it. */
  readonly isBuilt: boolean;
}

/**
 * What stands there, what stands there without the guard (nothing where it is absent), and whether only a test of a
 * build notices.
 */
type Change = readonly [from: string, to?: string, by?: 'built'];

/** By how an attack's sentence in docs/guards.md begins, and by file. Each change is made by itself. */
const changes: Readonly<Record<string, Readonly<Record<string, readonly Change[]>>>> = {
  'A license and a certificate of different sellers': {
    'core/license/verify.ts': [
      [
        `  if (a.kind !== b.kind) return false;
`,
      ],
      ['return a.group === b.group;', 'return true;'],
    ],
    'core/license/inspect/bundles.ts': [
      ['return omitUndefined({ isForeign: true, license: beside });', 'return ownOf(beside);'],
    ],
    'core/license/document-verifier.ts': [
      [
        "if (!isSameAuthority(certificate.signed.authority, license.signed.authority)) return 'signer';",
      ],
    ],
  },
  'A key that is limited to products vouches for others': {
    'core/license/verify.ts': [
      [
        "return products.includes(product) ? undefined : { kind: 'other-product', key, label };",
        'return undefined;',
      ],
      [
        "if (product === undefined) return { kind: 'no-product', key, label };",
        'if (product === undefined) return undefined;',
      ],
    ],
  },
  'A certificate that shares only its domain': {
    'core/license/inspect/checks.ts': [
      [
        "check(id, 'warn', 'domain-alone', { bound: certificate.domain })",
        "check(id, 'pass', 'agrees')",
      ],
      ["check(id, 'warn', 'nothing-shared')", "check(id, 'pass', 'agrees')"],
      ['const [first] = differing;', 'const [, first] = differing;'],
    ],
  },
  'A certificate revives an expired license': {
    'core/license/inspect/inspect.ts': [
      ['if (verified?.expiresAt !== undefined && verified.expiresAt <= moment) {', 'if (false) {'],
      ["if (verified?.unreadable.includes('expires_at') === true) {", 'if (false) {'],
    ],
  },
  'The order of the files brings an older certificate back': {
    'core/license/standing.ts': [['compare(a.raw, b.raw)', '0']],
    'core/license/inspect/bundles.ts': [
      [
        'return first === undefined || second === undefined ? 0 : compareCertificates(second, first);',
        'return 0;',
      ],
    ],
  },
  'A document without a readable date passes': {
    'core/license/verify.ts': [
      ["if (isLimitedInTime(key) && document.unreadable.includes('issued_at')) {", 'if (false) {'],
      [
        "['no-issue-date', isLimitedInTime(key) && document.issuedAt === undefined],",
        "['no-issue-date', false],",
      ],
    ],
  },
  "A customer's own unsigned record opens grace": {
    'core/license/inspect/inspect.ts': [
      ["if (standing === 'grace' && grace === 'open-stated') return { id: 'grace-stated', data };"],
    ],
  },
  'A slot named for a certificate holds something else': {
    'core/license/extract/find-artifacts.ts': [
      ["typeof value !== 'string' || !this.#readSegments(value, place)", 'true'],
      ['if (this.#artifacts.length > before) return;', 'return;'],
      ['isDocument, glued, ...slot }', 'isDocument, glued }'],
    ],
  },
  'A genuine document under a key that is not pinned': {
    'core/license/verify.ts': [
      [
        "? { kind: 'unknown-key', keyId, tried: keys.length }",
        "? { kind: 'no-key-matches', tried: keys.length }",
      ],
      [
        ": { kind: 'named-key-fails', key: named.id, label: named.label };",
        ": { kind: 'unknown-key', keyId, tried: keys.length };",
      ],
    ],
  },
  'A document that is not verified lends a tick': {
    'core/license/inspect/checks.ts': [
      ['return document !== undefined && document.verified === undefined;', 'return false;'],
    ],
    'core/verifier/verifier.ts': [
      ['license?.genuine === genuine ? license.says : undefined', 'license?.says'],
    ],
    'components/verifier/result/result-texts.ts': [
      ["if (key === 'raw') return undefined;"],
      [
        "typeof value === 'object' && value !== null && 'genuine' in value && value.genuine !== true;",
        'false;',
      ],
    ],
  },
  'A weak or torsion key in the ring': {
    'core/keys/ed25519.ts': [
      ["return point.isTorsionFree() ? undefined : 'torsion';", 'return undefined;'],
      [
        'judgeRawKey(bytes) === undefined ? bytes : undefined',
        'bytes.length === 32 ? bytes : undefined',
      ],
    ],
  },
  'A domain with hidden characters reads like another': {
    'core/license/inspect/checks.ts': [
      [
        "if (hasHiddenCharacters(bound)) return check('domain', 'fail', 'hidden-characters', { bound });",
      ],
    ],
  },
  'A help desk page reads a verdict with': {
    'components/chips/overlay.ts': [
      ['button.ariaDescription = until;', 'button.append(chip.label);', 'built'],
    ],
  },
  'A help desk page asks without end': {
    'background/ticket/tickets.ts': [
      ['if (!opens.take(tabId, now())) return null;'],
      ['if (!checks.take(asker.tabId, now(), cost)) return null;'],
    ],
    'background/ticket/tab-limit.ts': [
      ['const may = lately.length + points <= perMinute;', 'const may = true;'],
    ],
  },
  'A help desk page learns a verdict from the time': {
    'background/ticket/tickets.ts': [['if (moment !== undefined) await pause(moment - taken);']],
    'background/ticket/chip-checks.ts': [
      [
        'return report && isFresh(report.checkedAt, now(), rememberedMs) ? report : undefined;',
        'return undefined;',
      ],
    ],
  },
  'A help desk page opens, reads or clicks a chip': {
    'components/chips/overlay.ts': [
      ['if (event.isTrusted) clicked();', 'clicked();'],
      ["mode: 'closed'", "mode: 'open'", 'built'],
    ],
  },
  'A reply goes into another ticket': {
    'background/ticket/replies.ts': [
      ["if (ticketAddressOf(inFront) !== ticket.address) return 'other-ticket';"],
    ],
    'adapters/browser/insert-into-reply.ts': [["if (!isTheTicket()) return 'other-ticket';"]],
    'stores/ticket/reply-insertion.ts': [
      ['const done = isSame', 'const done = front !== undefined'],
    ],
  },
  "A seller's picture, video or sound": {
    'core/address/local-host.ts': [
      ["return !host.includes('.') || localName.test(host);", 'return false;'],
    ],
    'core/items/media.ts': [["if (!isOwn && isLocalHost(url.hostname)) return 'nobody';"]],
    'background/items/media.ts': [
      ["if (fetcher === 'nobody' || !(await permissions", 'if (!(await permissions'],
    ],
    'wxt.config.ts': [
      [`"img-src 'self' data: https:",`, `"img-src 'self' data: https: http:",`, 'built'],
    ],
  },
  'What a server calls a picture': {
    'core/items/media.ts': [["(svg.test(head) ? 'image/svg+xml' : undefined)", "'image/svg+xml'"]],
    'background/items/media.ts': [['maxBytes: maxMediaBytes,', 'maxBytes: Infinity,']],
  },
  'A link or a redirect makes the browser fetch': {
    'background/ticket/link-inspection.ts': [
      [
        'const frameId = siteOriginOf(pageUrl) === origin ? 0 : inFrame;',
        'const frameId = inFrame ?? 0;',
      ],
      [' || (await sites.find(origin)) === undefined'],
    ],
    'adapters/browser/linked-files.ts': [['if (length > maxBytes) {', 'if (false) {', 'built']],
  },
  "A seller's server repeats the API key": {
    'background/seller/seller-client.ts': [
      ['return hideKey(call.read(reply, now()), apiKey);', 'return call.read(reply, now());'],
    ],
    'core/connections/api-key.ts': [["rest.replaceAll(secret, '••••')", 'rest']],
  },
  "A license leaves the verifier's page": {
    'core/site/content-security-policy.ts': [
      [`"connect-src 'self'",`, "'connect-src *',", 'built'],
    ],
  },
  'A license leaves a verify worker': {
    'adapters/verify-worker/network-removal.ts': [
      [
        `  'fetch',
`,
        '',
        'built',
      ],
    ],
  },
  "The verifier's site is framed": {
    'pwa/app.ts': [
      ['createApp(isFramed ? FrameNotice : VerifierApp)', 'createApp(VerifierApp)', 'built'],
    ],
  },
  'A script of another place runs': {
    'adapters/browser/trusted-scripts.ts': [
      ["if (!isOurOrigin || search !== '' || !ours.test(pathname))", 'if (false)'],
    ],
  },
  "A foreign site's form replaces": {
    'core/site/share-rule.ts': [
      [
        "const hasForeignOrigin = origin !== null && origin !== 'null' && origin !== own;",
        'const hasForeignOrigin = false;',
      ],
      [' || (URL.canParse(referrer) && new URL(referrer).origin !== own)'],
    ],
    'adapters/browser/waiting-files.ts': [['return [...waiting, {', 'return [{']],
    'pwa/worker/service-worker.ts': [
      ['if (isForeignShare(sender, self.location.origin))', 'if (false)', 'built'],
    ],
  },
  'A share or a file without end': {
    'adapters/http/read-body.ts': [['if (size > limit) {', 'if (false) {']],
    'core/verifier/verifier.ts': [
      ['if (parts.some(({ size }) => size > fileLimitBytes)) {', 'if (false) {'],
    ],
  },
  'A description of many script tags': {
    'core/reading/html.ts': [['[^>]*>?|$)/;', '[^>]*>?)/;']],
  },
  'A text of one repeated character': {
    'core/encoding/bytes.ts': [['(?<!=)=+$', '=+$']],
    'core/replies/fill-template.ts': [
      ['|(?<!\\s)\\s*\\{agent\\}(?=\\s*$)', '|\\s*\\{agent\\}(?=\\s*$)'],
    ],
  },
  'A cell of a CSV export becomes a formula': {
    'core/tables/csv.ts': [
      [`(firstFormula.test(cell) ? "'" : '') + `],
      [`cell.replaceAll(laterFormula, "$&'")`, 'cell'],
    ],
  },
  "A stranger's text becomes a link": {
    'core/text/inline-text.ts': [
      ['.replaceAll(linkJoint, `$&${parting}`)'],
      ['.replaceAll(mention, `$&${parting}`)'],
    ],
    'components/check/answer/summary.ts': [['name: inlineText(item.name),', 'name: item.name,']],
    'core/replies/fill-template.ts': [
      [
        "if (format === 'plain') return inlineText(value);",
        "if (format === 'plain') return value;",
      ],
    ],
    'components/verifier/result/result-texts.ts': [
      ['return inlineMarkdown(visibleText(value));', 'return value;'],
    ],
  },
  'A control or direction character': {
    'core/text/visible-text.ts': [['return text.replace(hidden, codePointOf);', 'return text;']],
  },
  'A genuine customer is called refunded': {
    'core/history/entry.ts': [["return sameSpelling ? ['vanished'] : [];", "return ['vanished'];"]],
    'core/codes/code-spelling.ts': [
      [
        'const likely = /^[0-9a-f]{32}$/.test(digits) ? inGroups(digits) : inCapitals(code.trim());',
        'const likely = code;',
      ],
    ],
  },
  'An odd field costs a genuine customer': {
    'core/marketplaces/wire.ts': [
      ['if (readable === undefined) note(name);'],
      [
        "return decimal.test(value.trim()) ? Number(value.replaceAll(',', '')) : undefined;",
        "return Number(value.replaceAll(',', ''));",
      ],
    ],
    'core/marketplaces/seller-api/reader.ts': [
      [
        'supported_until: optionalMoment,',
        'supported_until: v.fallback(optionalMoment, undefined),',
      ],
    ],
  },
  'A key that was replaced makes genuine codes': {
    'background/seller/validation.ts': [
      [
        `if (access.provesKeyLater === true) return succeed('unknown');
    return accounts.checkKeyAfter(access, answeredAt);`,
        `if (access.provesKeyLater === true) return succeed('unknown');
    return succeed('good');`,
      ],
    ],
    'background/bulk/bulk-runner.ts': [
      ['if (isInDoubt(finished)) run.inDoubt', 'if (!isInDoubt(finished)) run.inDoubt'],
      ['isDone ? await run.storedInDoubt() : []', '[]'],
    ],
    'background/bulk/job-driver.ts': [['writer.takeBack(waiting);', 'void waiting;']],
  },
  'A refresh that fails takes the known answer away': {
    'stores/check/check-requests.ts': [
      [
        'const keepsAnswer = !outcome.ok && pendingCheck.report?.outcome.ok === true;',
        'const keepsAnswer = false;',
      ],
    ],
  },
  'Genuine codes of a long file are cut': {
    'core/tables/delimited.ts': [
      ['else if (isLast || end + 1 < rest.length) records', 'else if (end < rest.length) records'],
    ],
    'adapters/http/http-exchange.ts': [['whole.set(piece, at);', 'whole.set(piece);']],
  },
  'The API key reaches a page': {
    'messaging/serve.ts': [["if (!rule.from.includes(asker.name)) return fail('not-yours');"]],
  },
  'Stored ciphertext of one connection': {
    'adapters/secrets/sealing.ts': [
      [
        "['counterfoil/api-key/1', binding.connectionId, binding.baseAddress]",
        "['counterfoil/api-key/1', binding.baseAddress]",
      ],
    ],
  },
  'A key goes to another path of a shared host': {
    'adapters/secrets/staged-key.ts': [['return key.baseAddress === baseAddress;', 'return true;']],
    'adapters/secrets/sealing.ts': [
      [
        "['counterfoil/api-key/1', binding.connectionId, binding.baseAddress]",
        "['counterfoil/api-key/1', binding.connectionId]",
      ],
    ],
  },
  'A settings file turns a key in a header': {
    'core/settings-import/import-settings.ts': [
      [
        'const keepsHeader = weakensPlacement(before.dialect, one.dialect) && hasKey(id);',
        'const keepsHeader = false;',
      ],
      [
        'const proven = staysProven(before, { ...one, dialect });',
        'const { proven } = one.dialect;',
      ],
      [
        'return one.baseAddress === other.baseAddress && isSameNamed(one, other);',
        'return isSameNamed(one, other);',
      ],
    ],
  },
  'A settings file brings a public key': {
    'core/settings-import/import-settings.ts': [
      ['return { ...one, id, kind };', 'return { ...one, id };'],
      [
        'return one.address === other.address && isSameNamed(one, other);',
        'return isSameNamed(one, other);',
      ],
    ],
  },
  'A policy brings a secret': {
    'core/policy/policy.ts': [
      ["if (secret !== undefined) return fail({ kind: 'holds-secret', path: secret });"],
      ['if ((await fingerprintOf(raw)) !== fingerprint)', 'if (false)'],
    ],
    'background/policy/apply-policy.ts': [
      [
        'if (await applyRest()) return succeed(undefined);',
        'if ((await applyRest()) || policy !== null) return succeed(undefined);',
      ],
    ],
  },
  "An agent's browser stores or uses a key": {
    'background/policy/key-storage-demand.ts': [
      ['(await isUnmet()) ? refused : secrets.writeWith(', 'secrets.writeWith('],
      [
        `(await isUnmet())
        ? fail({ kind: 'no-key', reason: 'key-storage-demanded' })
        : secrets.read(binding)`,
        'secrets.read(binding)',
      ],
    ],
  },
  'The answer of a check that a lock overtakes': {
    'background/seller/access.ts': [
      ['return () => secrets.lockGeneration() !== generation;', 'return () => false;'],
    ],
    'adapters/storage/session-cache.ts': [
      ['if (isOutdated()) return true;'],
      ['if (isOutdated()) await area.remove(key);'],
    ],
  },
  'A foreign site, or another browser, sends the forms': {
    'relay/join/join-sessions.ts': [
      ['if (incoming.headers.origin !== origin()) {', 'if (false) {'],
      ['sameHash(token, hashOf(joining.browser.csrfToken))', 'token.length > 0'],
      [' || !sameHash(browser.hash, join.hash)'],
    ],
  },
  'A text or a reply of one call at a relay': {
    'relay/calls/answer-call.ts': [
      ["isConnectionId(asked.connection) ? asked.connection : ''", 'asked.connection'],
      ['.toWellFormed()'],
    ],
  },
  'An invite or a one-time code of a relay': {
    'relay/store/join-store.ts': [
      ['DELETE FROM invite WHERE id = ${invite}', 'SELECT 1 FROM invite WHERE id = ${invite}'],
      [
        `RETURNING 1\`,
          ];
          if (!used?.length) return [false];`,
        `RETURNING 1\`,
          ];`,
      ],
      ['const use = sql`DELETE FROM join_code WHERE id = ${id}`;', 'const use = sql`SELECT 1`;'],
      ['FROM invite WHERE id = ${id} AND expires_at > clock()', 'FROM invite WHERE id = ${id}'],
      ['WHERE join_code.id = ${id} AND expires_at > clock()', 'WHERE join_code.id = ${id}'],
    ],
  },
  "A stranger signs in at the team's provider": {
    'relay/join/openid.ts': [
      ['expectedNonce: openId.nonce,'],
      ['pkceCodeVerifier: openId.verifier,'],
    ],
  },
  'A page other than the join tab': {
    'background/team/joining.ts': [
      ['tab.id !== tabId || '],
      [' || !tab.url.startsWith(end)'],
      ["result.get('state') === state ? result.get('code') : undefined", "result.get('code')"],
    ],
  },
  'A seized relay hands out settings': {
    'core/team/team-settings.ts': [
      ["if (key !== known.settingsKey) return fail({ kind: 'other-signer', key });"],
      ["if (relay !== known.relay) return fail({ kind: 'other-relay', relay });"],
      ["if (version < known.version) return fail({ kind: 'older-version', version });"],
    ],
  },
  'An outage or a refusal of the relay reads': {
    'core/team/relay-failure.ts': [
      [
        "return { kind: 'relay-upstream', reason: 'unreachable', ...omitUndefined({ cause }), ...again };",
        'return undefined;',
      ],
    ],
  },
  "An agent has an answer of a team's relay without a row": {
    'relay/store/serving-store.ts': [
      [
        'else if (said !== undefined && isLocked && holds()) return beginReply(one, released);',
        'else if (released) return beginReply(one, released);',
      ],
      [
        'else if (holds()) return beginReply(one, released);',
        'else if (released) return beginReply(one, released);',
      ],
    ],
  },
  'A full disk keeps a token': {
    'relay/store/sqlite.ts': [
      ['if (anyway && error instanceof DiskFull && freeReserve(reserve)) return write(work);'],
    ],
  },
  'A relay goes on serving from a database that was moved': {
    'relay/store/sqlite.ts': [['PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE', 'BEGIN IMMEDIATE']],
  },
  "The relay's serving role adds an agent": {
    'relay/store/schema.ts': [
      ['GRANT UPDATE (role) ON agent TO', 'GRANT INSERT, UPDATE ON agent TO'],
      ['WHEN (OLD.revoked_at <> 0 OR NEW.revoked_at = 0)', 'WHEN (false)'],
      ['CHECK (expires_at <= signed_in_at + ${String(tokenMaxMs)})', 'CHECK (true)'],
    ],
  },
  'A client that reads nothing': {
    'relay/http/server.ts': [
      [
        `if (connection.response !== undefined) {
      socket.destroy();
      return;
    }`,
      ],
      ['socket.setTimeout(stillMs);'],
    ],
    'relay/http/gate.ts': [
      ['if (!isFree()) return false;'],
      ["(name !== '' && client.calls >= maxCalls.token) || "],
    ],
    'relay/upstream/send.ts': [["if (more > large.most - large.bytes) return fail('pace');"]],
  },
  'Strangers take the places': {
    'relay/http/gate.ts': [
      ['if (holding.has(name)) return false;'],
      ['await authorize(authorization).catch(() => undefined);'],
      ['if (isFull(name) || outgoing.destroyed) return undefined;'],
    ],
    'relay/calls/answer-call.ts': [['holding.delete(given.name);']],
  },
  'A connection of a relay that was removed': {
    'relay/store/admin-store.ts': [
      ["Buffer.from(sealed.subarray(0, 12)).toString('hex')", 'String(sealed.length > 0)'],
    ],
  },
  "One agent's questions pause a seller": {
    'relay/calls/ask-upstream.ts': [
      ["'upstream-too-large': 'up',", "'upstream-too-large': 'down',"],
    ],
    'relay/upstream/send.ts': [
      [
        "if (endUse === undefined) return fail('pace');",
        "if (endUse === undefined) return fail('upstream-unreachable');",
      ],
    ],
  },
  'JSON nested without end': {
    'core/encoding/json.ts': [['if (isTooDeep(text)) return undefined;']],
  },
  "A reply of a seller's debug page": {
    'relay/calls/echoed-key.ts': [
      ['if ([key, ...encoded].some((form) => text.includes(form))) return true;'],
      ['const maxDepth = 4;', 'const maxDepth = 1;'],
    ],
  },
  "Somebody else's e-mail address": {
    'relay/join/email.ts': [
      ['email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())', 'email.toLowerCase()'],
    ],
  },
  'A cookie of a join with another secret': {
    'relay/join/join-sessions.ts': [[' || !sameHash(browser.hash, join.hash)']],
    'relay/settings.ts': [['(stat.mode & 0o007) !== 0', 'false']],
  },
  'The worker of an older build answers': {
    'messaging/serve.ts': [
      ["if (v.is(stated, message) && message.build !== self.build) return fail('other-build');"],
    ],
    'adapters/storage/storage-area.ts': [['if (!mayWrite()) throw new OutdatedBuild();']],
  },
  'A package that is shipped or used to build': {
    'install.mjs': [["npm('ci', '--ignore-scripts', ", "npm('ci', "]],
  },
  "A seller's answer runs as a page of the relay": {
    'relay/http/messages.ts': [[`"default-src 'none'; sandbox"`, `"default-src 'none'"`]],
  },
  'An address that a provider has not confirmed': {
    'relay/join/openid.ts': [
      ['return verified === true', 'return verified !== false'],
      ['client.enableNonRepudiationChecks,'],
      ['if (!sameHash(hashOf(state), hashOf(browser.openId.state))) {', 'if (false) {'],
    ],
  },
  'Other accounts of the machine read the master key': {
    'relay/keys/keyring.ts': [['(stat.mode & 0o077) !== 0', '(stat.mode & 0o007) !== 0']],
  },
  'A page that opened the join keeps hold': {
    'relay/join/pages.ts': [["'Cross-Origin-Opener-Policy': 'same-origin',"]],
  },
  'A text that waits for its view': {
    'adapters/storage/handoffs.ts': [
      ['return now - left.at < textLifetimeMs ? left : undefined;', 'return left;'],
    ],
  },
  "A team's settings pass as a license": {
    'core/license/document/envelope.ts': [
      ["if (text.startsWith(teamSettingsPrefix)) return 'team-settings';"],
    ],
  },
  'A relay says that an answer is older': {
    'adapters/http/http-exchange.ts': [['Math.min(seconds * 1000, dayMs)', 'seconds * 1000']],
  },
  'A name of a seller leads to a public and to a private': {
    'relay/upstream/send.ts': [
      [
        'addresses.some(({ address }) => isPrivateAddress(address))',
        'isPrivateAddress(first.address)',
      ],
      ['new HttpsAgent({ ...options, lookup: publicLookup })', 'new HttpsAgent(options)'],
    ],
  },
};

/** Says how the guards of each attack are taken out. */
export const removalsByAttack = Object.entries(changes).map(([attack, files]) => ({
  attack,
  removals: Object.entries(files).flatMap(([file, ofFile]) =>
    ofFile.map(([from, to = '', by]): Removal => ({ file, from, to, isBuilt: by === 'built' })),
  ),
}));
