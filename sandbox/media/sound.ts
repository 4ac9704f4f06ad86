const sampleRate = 8_000;
const seconds = 2;

/**
 * Synthesises two seconds of a soft chord as a WAV file: PCM, one channel, 16 bit, 8 kHz, 32,044 bytes.
 *
 * @param hertz of the chord's lowest note
 */
export function synthesize(hertz: number): Uint8Array<ArrayBuffer> {
  const samples = sampleRate * seconds;
  const file = new DataView(new ArrayBuffer(44 + samples * 2));
  const ascii = (at: number, text: string) => {
    for (let index = 0; index < text.length; index += 1) {
      file.setUint8(at + index, text.charCodeAt(index));
    }
  };
  ascii(0, 'RIFF');
  file.setUint32(4, 36 + samples * 2, true);
  ascii(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, sampleRate, true);
  file.setUint32(28, sampleRate * 2, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  ascii(36, 'data');
  file.setUint32(40, samples * 2, true);
  for (let index = 0; index < samples; index += 1) {
    const time = index / sampleRate;
    const fade = Math.min(1, time * 20, (seconds - time) * 2);
    const chord = [1, 1.25, 1.5].reduce(
      (sum, ratio) => sum + Math.sin(2 * Math.PI * hertz * ratio * time),
      0,
    );
    file.setInt16(44 + index * 2, Math.round(chord * fade * 6_000), true);
  }
  return new Uint8Array(file.buffer);
}
