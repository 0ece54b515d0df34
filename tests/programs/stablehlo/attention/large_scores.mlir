// tolerance: 0.002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 1.83688964 1.27044843 1.03669791 5.07831712 0.849586652 0.626288623 6.50237085 -8.85702555 5.2359897 -4.18196446 0.777788652 0.586549367 2.25754691 5.40365736 -1.37356014 3.23765628
// cost: 20 instructions, 1107378 ticks
module {
  func.func public @main(%arg0: tensor<1x20x16xf32>, %arg1: tensor<1x20x16xf32>, %arg2: tensor<1x20x16xf32>) -> (tensor<1x20x16xf32>) {
    %cst = stablehlo.constant dense<3.000000e+01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x20x16xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<1x20x16xf32>
    %2 = stablehlo.dot_general %1, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x20x16xf32>, tensor<1x20x16xf32>) -> tensor<1x20x20xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x20x20xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<1x20x20xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<1x20x20xf32>, tensor<f32>) -> tensor<1x20xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x20xf32>
    %7 = stablehlo.maximum %6, %5 : tensor<1x20xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<1x20x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x20x1xf32>) -> tensor<1x20x20xf32>
    %10 = stablehlo.subtract %4, %9 : tensor<1x20x20xf32>
    %11 = stablehlo.exponential %10 : tensor<1x20x20xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<1x20x20xf32>, tensor<f32>) -> tensor<1x20xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<1x20x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x20x1xf32>) -> tensor<1x20x20xf32>
    %15 = stablehlo.divide %11, %14 : tensor<1x20x20xf32>
    %16 = stablehlo.dot_general %15, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x20x20xf32>, tensor<1x20x16xf32>) -> tensor<1x20x16xf32>
    return %16 : tensor<1x20x16xf32>
  }
}
