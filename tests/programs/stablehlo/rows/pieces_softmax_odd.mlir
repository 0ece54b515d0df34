// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 0.283463438 0.27980202 0.286070678 0.278885637 0.285173617 0.278190737 0.278609243 0.277820849 0.275408749 0.278164798 0.277747512 0.280462924 0.280330799 0.282849684 0.281990655 0.286362883
// cost: 111 instructions, 11146900 ticks
module {
  func.func public @main(%arg0: tensor<3x30011xf32>) -> (tensor<3x30011xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<3x30011xf32>, tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x30011xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<3x30011xf32>
    %4 = stablehlo.exponential %3 : tensor<3x30011xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<3x30011xf32>, tensor<f32>) -> tensor<3xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x30011xf32>
    %8 = stablehlo.divide %4, %7 : tensor<3x30011xf32>
    return %8 : tensor<3x30011xf32>
  }
}
