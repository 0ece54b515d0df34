// tolerance: 0.0001
// routines: cholesky
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 1.16910303 -0.451484561 0.203030571 0.485720217 0 1.35722363 -0.0893272534 -0.5625422 0 0 1.39273441 -0.207092121 0 0 0 1.41675317 1.51568377 0.371718824 0.558168888 -0.0163708255 0 1.34916306 -0.0839513838 -0.0271082595 0 0 1.46935081 -0.0116641764 0 0 0 1.68243027
// cost: 24 instructions, 1381685 ticks
func.func @main(%a: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %b = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x4x4xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x4xf32>
  %d = stablehlo.compare LE, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %e = stablehlo.compare EQ, %i, %j : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xi1>
  %f = stablehlo.convert %e : (tensor<2x4x4xi1>) -> tensor<2x4x4xf32>
  %g = stablehlo.add %b, %f : tensor<2x4x4xf32>
  %x = stablehlo.cholesky %g, lower = false : tensor<2x4x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<2x4x4xf32>
  %y = stablehlo.select %d, %x, %z : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  return %y : tensor<2x4x4xf32>
}
