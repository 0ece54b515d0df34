// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 10.9453846 34.2816528 -8.85927618 -6.8520206 -3.03481379 -0.520911257 3.86553159 -25.9753221 21.4543569 5.97136254 -2.06772229 -5.06754121 13.0202435 11.5440476 15.4233495 -6.28201275
// cost: 7 instructions, 745657 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>, %arg1: tensor<60x60xf32>) -> (tensor<40x60xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x60xf32>, tensor<60x60xf32>) -> tensor<40x60xf32>
    %1 = stablehlo.tanh %0 : tensor<40x60xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x60xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<40x60xf32>
    %4 = stablehlo.add %arg0, %3 : tensor<40x60xf32>
    return %4 : tensor<40x60xf32>
  }
}
