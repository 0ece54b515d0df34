// tolerance: 2e-05
// in: draw 1 -4 3.814697265625e-06 2097152
// out: sums 199.602138 253.589008 232.541244 261.648661 207.175831 225.312309 161.355045 218.269174 179.543564 181.183881 200.259603 261.056062 225.603916 189.280643 229.021793 183.950077
// cost: 3 instructions, 601537 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>) -> (tensor<40x60xf32>) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x60xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<40x60xf32>
    %2 = stablehlo.negate %arg0 : tensor<40x60xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x60xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<40x60xf32>
    %5 = chlo.erfc %4 : tensor<40x60xf32> -> tensor<40x60xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<40x60xf32>
    return %6 : tensor<40x60xf32>
  }
}
