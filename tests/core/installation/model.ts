import type { Standing } from '#core/license/index';

const hour = 3_600_000;
export const intervalMs = 24 * hour;
export const graceMs = 48 * hour;

/**
 * Restates spec section 3 and the choices of the design in as few words as will do. Times move in steps of two hours
 * and more.
 */
export class Model {
  localNow: number;
  authorityNow: number;
  mode: 'up' | 'down' | 'lying' = 'up';
  revoked = false;
  certificate: { issued: number; next: number; grace: number } | undefined;
  refused = false;
  unreachableAt = -1;
  validatedAt = -1;
  latestSeen = -1;
  askedAt = -1;
  failures = 0;

  constructor(now: number) {
    this.localNow = now;
    this.authorityNow = now;
  }

  activate(): boolean {
    return this.mode === 'up' && !this.revoked && this.grant();
  }

  permit(): { standing: Standing; allowed: boolean } {
    const due = this.certificate !== undefined && this.standing() !== 'activated';
    if (this.certificate !== undefined) this.latestSeen = Math.max(this.latestSeen, this.localNow);
    if (due && (this.failures === 0 || this.localNow !== this.askedAt)) this.validate();
    const standing = this.standing();
    const next = this.certificate?.next ?? Infinity;
    const behind = standing === 'validation-due' && this.validatedAt >= next;
    return { standing, allowed: standing === 'activated' || standing === 'grace' || behind };
  }

  private validate(): void {
    if (this.mode === 'up' && !this.revoked && this.grant()) return;
    this.askedAt = this.localNow;
    this.failures += 1;
    // The authority still judges before it lies.
    if (this.mode !== 'down' && this.revoked) this.refused = true;
    else if (!this.refused) {
      this.unreachableAt = this.localNow;
      this.validatedAt = -1;
    }
  }

  /** A certificate that is not newer than the present one is a replay. */
  private grant(): boolean {
    if (this.certificate !== undefined && this.authorityNow <= this.certificate.issued)
      return false;
    const issued = this.authorityNow;
    const next = issued + intervalMs;
    this.certificate = { issued, next, grace: next + graceMs };
    this.refused = false;
    this.unreachableAt = -1;
    this.validatedAt = this.localNow;
    this.latestSeen = this.localNow;
    this.askedAt = this.localNow;
    this.failures = this.localNow < next ? 0 : this.failures + 1;
    return true;
  }

  private standing(): Standing {
    if (this.certificate === undefined) return 'not-activated';
    if (this.refused) return 'denied';
    const turnedBack = this.latestSeen > this.localNow;
    const moment = turnedBack ? this.latestSeen : this.localNow;
    if (moment >= this.certificate.grace) return 'denied';
    if (moment < this.certificate.next) return 'activated';
    return !turnedBack && this.unreachableAt >= this.certificate.next ? 'grace' : 'validation-due';
  }
}
