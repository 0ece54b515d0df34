// tolerance: 2e-05
// routines: dot
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 2.75074072 -38.2395912 36.1980889 48.0874421 -2.28635173 8.43225286 15.9885962 49.4518874 -50.3029555 7.39276947 49.6909774 47.1964582 -5.70128053 -8.13685729 -5.67032275 -2.06971521
// cost: 0 instructions, 24920 ticks
func.func @main(%x: tensor<40x50xf32>, %y: tensor<50x30xf32>) -> tensor<40x30xf32> {
  %z = stablehlo.dot %x, %y : (tensor<40x50xf32>, tensor<50x30xf32>) -> tensor<40x30xf32>
  return %z : tensor<40x30xf32>
}
