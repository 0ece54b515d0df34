// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -129348.895 -127872.093 -129811.614 -128741.013 -128384.172 -126352.929 -125321.461 -125943.628 -126029.958 -129238.377 -126684.068 -127355.76 -126615.373 -127497.766 -128679.809 -129589.491
// cost: 24 instructions, 4225724 ticks
module {
  func.func public @main(%arg0: tensor<2x61003xf32>) -> (tensor<2x61003xf32>) {
    %0 = call @log_softmax(%arg0) : (tensor<2x61003xf32>) -> tensor<2x61003xf32>
    return %0 : tensor<2x61003xf32>
  }
  func.func private @log_softmax(%arg0: tensor<2x61003xf32>) -> tensor<2x61003xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<2x61003xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x61003xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x61003xf32>
    %6 = stablehlo.exponential %5 : tensor<2x61003xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x61003xf32>, tensor<f32>) -> tensor<2xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %9 = stablehlo.log %8 : tensor<2x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x61003xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x61003xf32>
    return %11 : tensor<2x61003xf32>
  }
}
