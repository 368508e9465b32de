import { expect, it } from 'vitest';
import { fitView, reveal, startView, visibleBox, zoomAt } from './viewport.ts';

const window = { width: 1000, height: 600 };

it('shows all of a drawing in the middle, never larger than life', () => {
  expect(fitView({ width: 300, height: 100 }, window)).toEqual({ scale: 1, x: 350, y: 250 });
  const { scale, x, y } = fitView({ width: 1904, height: 400 }, window);
  expect(scale).toBeCloseTo(0.5);
  expect([x, y]).toEqual([24, 200]);
});

it('starts readable at the root when the whole would be too small', () => {
  expect(startView({ width: 300, height: 100 }, window, 50).scale).toBe(1);
  expect(startView({ width: 1000, height: 10_000 }, window, 5000)).toEqual({ scale: 0.7, x: 24, y: -3200 });
  expect(startView({ width: 4000, height: 400 }, window, 200)).toEqual({ scale: 0.7, x: 24, y: 160 });
});

it('keeps the point under the pointer when zooming, within limits', () => {
  const view = { x: 10, y: 20, scale: 1 };
  const zoomed = zoomAt(view, { x: 110, y: 220 }, 1.5);
  expect(zoomed).toEqual({ scale: 1.5, x: -40, y: -80 });
  expect(zoomAt(view, { x: 0, y: 0 }, 100).scale).toBe(2);
});

it('moves only as far as needed to bring a box into sight', () => {
  const view = { x: 0, y: 0, scale: 1 };
  expect(reveal(view, { x: 100, y: 100, width: 220, height: 44 }, window)).toBe(view);
  expect(reveal(view, { x: 900, y: 700, width: 220, height: 44 }, window)).toEqual({ x: -144, y: -168, scale: 1 });
  expect(reveal(view, { x: -50, y: 0, width: 220, height: 44 }, window)).toEqual({ x: 74, y: 24, scale: 1 });
});

it('knows which part of the drawing is in sight', () => {
  expect(visibleBox({ x: -100, y: 0, scale: 0.5 }, window, 10)).toEqual({ x: 190, y: -10, width: 2020, height: 1220 });
});
