import { shallowRef } from 'vue';
import { useI18n } from '#components/i18n';

import type { ReplyFacts } from '#core/reply-templates/reply-facts';
import {
  type PurchaseSituation,
  purchaseSituations,
  type ReplySituation,
} from '#core/reply-templates/template';
import { useClock } from '#stores/ports';

/** Gives the facts of a sample for each situation. Those of licenses come from documents that are signed and inspected here. */
export function useSampleFacts(): (situation: ReplySituation) => ReplyFacts | undefined {
  const { t } = useI18n();
  const moment = useClock();
  const { present } = moment;
  const samples = shallowRef<Samples>();
  void loadSamples(present).then((loaded) => {
    samples.value = loaded;
  });
  return (situation) =>
    isOfPurchase(situation)
      ? samples.value?.ofPurchase(situation, t('desk.reply.sampleItem'))
      : samples.value?.ofLicenses.get(situation);
}

interface Samples {
  readonly ofPurchase: (situation: PurchaseSituation, itemName: string) => ReplyFacts;
  readonly ofLicenses: ReadonlyMap<ReplySituation, ReplyFacts>;
}

/** Loads the inspection with the first preview: no other part of the desk needs it. */
async function loadSamples(now: number): Promise<Samples> {
  const [{ sampleLicenseFacts, samplePurchaseFacts }, { chooseEngine }] = await Promise.all([
    import('#core/reply-templates/sample-facts'),
    import('#core/keys/ed25519'),
  ]);
  const secretKey = crypto.getRandomValues(new Uint8Array(32));
  return {
    ofPurchase: (situation, itemName) => samplePurchaseFacts(situation, now, itemName),
    ofLicenses: await sampleLicenseFacts(now, secretKey, await chooseEngine()),
  };
}

function isOfPurchase(situation: ReplySituation): situation is PurchaseSituation {
  return purchaseSituations.some((one) => one === situation);
}
