// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 11.3159056 11.3196192
// cost: 18 instructions, 2976333 ticks
module {
  func.func public @main(%arg0: tensor<2x70000xf32>) -> (tensor<2xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x70000xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x70000xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<2x70000xf32>
    %4 = stablehlo.exponential %3 : tensor<2x70000xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<2x70000xf32>, tensor<f32>) -> tensor<2xf32>
    %6 = stablehlo.log %5 : tensor<2xf32>
    %7 = stablehlo.add %6, %0 : tensor<2xf32>
    return %7 : tensor<2xf32>
  }
}
