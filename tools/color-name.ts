// The everyday name of a colour, for whoever describes a picture or a sheet in words. By hue, lightness and how grey it is; no list of shades.

/** @param red each of 0 to 255 */
export function colorName(red: number, green: number, blue: number): string {
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const spread = high - low;
  if (spread < 28) return high < 64 ? 'black' : low > 232 ? 'white' : 'grey';
  const hue = hueOf(red, green, blue, high, spread);
  if (high < 50) return 'black';
  if (hue < 15 || hue >= 340) return low > 150 ? 'pink' : 'red';
  if (hue < 42) return high < 170 ? 'brown' : 'orange';
  if (hue < 70) return 'yellow';
  if (hue < 165) return 'green';
  if (hue < 195) return 'turquoise';
  if (hue < 255) return 'blue';
  if (hue < 290) return 'purple';
  return 'pink';
}

function hueOf(red: number, green: number, blue: number, high: number, spread: number): number {
  if (high === red) return (360 + (60 * (green - blue)) / spread) % 360;
  return high === green ? 120 + (60 * (blue - red)) / spread : 240 + (60 * (red - green)) / spread;
}
