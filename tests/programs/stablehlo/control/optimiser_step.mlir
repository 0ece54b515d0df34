// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// out: sums -0.0807741754 0.145809043 -1.33359145 -0.246264751 1.4498022 1.32286485 0.422744256 0.648930925 -0.466550955 -0.53106662 -0.754235348 0.245185537 0.362401159 -0.911117597 1.1614704 1.09517782
// out: sums 1.432083 1.10435598 0.106742379 -0.651187071 0.994432144 -1.45221193 1.79887749 0 -0.128731052 2.03686935 0.482916796 0.333455967 -1.07364649 0.202774905 -1.15325034 -3.00290978
// cost: 26 instructions, 1163833 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<20x3xf32>, %arg2: tensor<30x9xf32>, %arg3: tensor<30x3xf32>) -> (tensor<9x20xf32>, tensor<20x3xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<30x9xf32>, tensor<9x20xf32>) -> tensor<30x20xf32>
    %1 = stablehlo.tanh %0 : tensor<30x20xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<30x20xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<30x20xf32>
    %4 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<30x20xf32>, tensor<20x3xf32>) -> tensor<30x3xf32>
    %5 = stablehlo.subtract %4, %arg3 : tensor<30x3xf32>
    %6 = chlo.square %5 : tensor<30x3xf32> -> tensor<30x3xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<30x3xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<30x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<30x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<9.000000e+01> : tensor<f32>
    %10 = stablehlo.divide %9, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<9.000000e+01> : tensor<f32>
    %11 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<30x3xf32>
    %13 = stablehlo.multiply %12, %8 : tensor<30x3xf32>
    %14 = stablehlo.dot_general %13, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<30x3xf32>, tensor<30x20xf32>) -> tensor<3x20xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<3x20xf32>) -> tensor<20x3xf32>
    %16 = stablehlo.dot_general %13, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<30x3xf32>, tensor<20x3xf32>) -> tensor<30x20xf32>
    %17 = stablehlo.multiply %16, %3 : tensor<30x20xf32>
    %18 = stablehlo.multiply %17, %1 : tensor<30x20xf32>
    %19 = stablehlo.add %17, %18 : tensor<30x20xf32>
    %20 = stablehlo.dot_general %19, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<30x20xf32>, tensor<30x9xf32>) -> tensor<20x9xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<20x9xf32>) -> tensor<9x20xf32>
    return %21, %15 : tensor<9x20xf32>, tensor<20x3xf32>
  }
}
