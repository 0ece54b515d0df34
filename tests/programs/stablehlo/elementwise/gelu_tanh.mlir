// tolerance: 2e-05
// in: draw 1 -4 3.814697265625e-06 2097152
// out: sums 199.625475 253.614401 232.5711 261.671538 207.199037 225.335287 161.371514 218.298691 179.561324 181.209167 200.2748 261.075124 225.630294 189.303721 229.050715 183.970188
// cost: 3 instructions, 601537 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>) -> (tensor<40x60xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<40x60xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<40x60xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x60xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<40x60xf32>
    %4 = stablehlo.add %arg0, %3 : tensor<40x60xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x60xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<40x60xf32>
    %7 = stablehlo.tanh %6 : tensor<40x60xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x60xf32>
    %9 = stablehlo.add %8, %7 : tensor<40x60xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40x60xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<40x60xf32>
    %12 = stablehlo.multiply %arg0, %11 : tensor<40x60xf32>
    return %12 : tensor<40x60xf32>
  }
}
