// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 5 -1 9.5367431640625e-07 2097153
// out: sums 11.9738322 6.15162941 17.1633872 -14.3719099 12.6650772 3.09380478 -3.05189179 0.288712129 15.293788 -9.4488389 -30.3161907 16.2844797 -11.1230334 -10.3564336 7.42076003 -28.7906458
// out: sums -1.54573071 1.07316086 -0.113249488 13.7110105 16.1575088 0.341672021 -24.5902226 0 -2.73370592 0.630075104 -0.755869631 3.36371874 0.0181167389 6.20550944 0.140083226 -0.0378354415
// out: -0.202628717 0.140338391 0.271339536 -4.34392262 4.268466 3.27718544 -1.52153611 2.3138864 1.28117824 15.5223627 -16.7639351 -12.8154049 -4.47360325 0.163106084 3.31807518 7.71498489 6.89913607 2.45291257 4.71553707 -0.427802593 -7.70223665 3.61514783 -7.00500441 -11.4738073 -2.50801516 8.66041374 10.2505064
// cost: 87 instructions, 4494421 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>, %arg1: tensor<9x20xf32>, %arg2: tensor<20x3xf32>, %arg3: tensor<9x3xf32>, %arg4: tensor<9x3xf32>) -> (tensor<9x20xf32>, tensor<20x3xf32>, tensor<9x3xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9x20x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9x20x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<9x20x3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<9x1x3xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<9x1x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<9x20x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %8:14 = stablehlo.while(%iterArg = %arg0, %iterArg_16 = %arg1, %iterArg_17 = %arg3, %iterArg_18 = %arg4, %iterArg_19 = %arg2, %iterArg_20 = %c, %iterArg_21 = %0, %iterArg_22 = %1, %iterArg_23 = %2, %iterArg_24 = %3, %iterArg_25 = %4, %iterArg_26 = %5, %iterArg_27 = %6, %iterArg_28 = %7) : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x3xf32>, tensor<9x3xf32>, tensor<20x3xf32>, tensor<i32>, tensor<20x3xf32>, tensor<9x20xf32>, tensor<9x20x1xf32>, tensor<9x20x3xf32>, tensor<9x20x3xf32>, tensor<9x1x3xf32>, tensor<9x1x3xf32>, tensor<9x20x3xf32>
    cond {
      %c_29 = stablehlo.constant dense<9> : tensor<i32>
      %21 = stablehlo.compare LT, %iterArg_20, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %21 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_20) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %22 = func.call @dynamic_index_in_dim(%iterArg_16, %iterArg_20) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %23 = func.call @dynamic_index_in_dim_0(%iterArg_17, %iterArg_20) : (tensor<9x3xf32>, tensor<i32>) -> tensor<3xf32>
      %24 = func.call @dynamic_index_in_dim_0(%iterArg_18, %iterArg_20) : (tensor<9x3xf32>, tensor<i32>) -> tensor<3xf32>
      %25:8 = func.call @closed_call(%iterArg_19, %iterArg_21, %21, %22, %23, %24) : (tensor<20x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<20xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<20x3xf32>, tensor<20xf32>, tensor<20x1xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<20x3xf32>)
      %26 = func.call @dynamic_update_index_in_dim(%iterArg_22, %25#1, %iterArg_20) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %27 = func.call @dynamic_update_index_in_dim_1(%iterArg_23, %25#2, %iterArg_20) : (tensor<9x20x1xf32>, tensor<20x1xf32>, tensor<i32>) -> tensor<9x20x1xf32>
      %28 = func.call @dynamic_update_index_in_dim_2(%iterArg_24, %25#3, %iterArg_20) : (tensor<9x20x3xf32>, tensor<20x3xf32>, tensor<i32>) -> tensor<9x20x3xf32>
      %29 = func.call @dynamic_update_index_in_dim_2(%iterArg_25, %25#4, %iterArg_20) : (tensor<9x20x3xf32>, tensor<20x3xf32>, tensor<i32>) -> tensor<9x20x3xf32>
      %30 = func.call @dynamic_update_index_in_dim_3(%iterArg_26, %25#5, %iterArg_20) : (tensor<9x1x3xf32>, tensor<1x3xf32>, tensor<i32>) -> tensor<9x1x3xf32>
      %31 = func.call @dynamic_update_index_in_dim_3(%iterArg_27, %25#6, %iterArg_20) : (tensor<9x1x3xf32>, tensor<1x3xf32>, tensor<i32>) -> tensor<9x1x3xf32>
      %32 = func.call @dynamic_update_index_in_dim_2(%iterArg_28, %25#7, %iterArg_20) : (tensor<9x20x3xf32>, tensor<20x3xf32>, tensor<i32>) -> tensor<9x20x3xf32>
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %33 = stablehlo.add %iterArg_20, %c_29 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %33, %25#0, %26, %27, %28, %29, %30, %31, %32 : tensor<9x20xf32>, tensor<9x20xf32>, tensor<9x3xf32>, tensor<9x3xf32>, tensor<20x3xf32>, tensor<i32>, tensor<20x3xf32>, tensor<9x20xf32>, tensor<9x20x1xf32>, tensor<9x20x3xf32>, tensor<9x20x3xf32>, tensor<9x1x3xf32>, tensor<9x1x3xf32>, tensor<9x20x3xf32>
    }
    %9 = stablehlo.multiply %8#7, %8#7 : tensor<9x20xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %11 = stablehlo.multiply %10, %8#7 : tensor<9x20xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<9x20xf32>, tensor<f32>) -> tensor<f32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<20x3xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %15 = stablehlo.multiply %14, %11 : tensor<9x20xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<20x3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<20x3xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<9x20xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<9x3xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %20:13 = stablehlo.while(%iterArg = %15, %iterArg_16 = %8#8, %iterArg_17 = %8#9, %iterArg_18 = %8#10, %iterArg_19 = %arg1, %iterArg_20 = %8#11, %iterArg_21 = %8#12, %iterArg_22 = %8#13, %iterArg_23 = %c_15, %iterArg_24 = %17, %iterArg_25 = %16, %iterArg_26 = %18, %iterArg_27 = %19) : tensor<9x20xf32>, tensor<9x20x1xf32>, tensor<9x20x3xf32>, tensor<9x20x3xf32>, tensor<9x20xf32>, tensor<9x1x3xf32>, tensor<9x1x3xf32>, tensor<9x20x3xf32>, tensor<i32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<9x20xf32>, tensor<9x3xf32>
    cond {
      %c_28 = stablehlo.constant dense<9> : tensor<i32>
      %21 = stablehlo.compare LT, %iterArg_23, %c_28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %c_28 = stablehlo.constant dense<9> : tensor<i32>
      %21 = stablehlo.subtract %c_28, %iterArg_23 : tensor<i32>
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.subtract %21, %c_29 : tensor<i32>
      %23 = func.call @dynamic_index_in_dim(%iterArg, %22) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %24 = func.call @dynamic_index_in_dim_4(%iterArg_16, %22) : (tensor<9x20x1xf32>, tensor<i32>) -> tensor<20x1xf32>
      %25 = func.call @dynamic_index_in_dim_5(%iterArg_17, %22) : (tensor<9x20x3xf32>, tensor<i32>) -> tensor<20x3xf32>
      %26 = func.call @dynamic_index_in_dim_5(%iterArg_18, %22) : (tensor<9x20x3xf32>, tensor<i32>) -> tensor<20x3xf32>
      %27 = func.call @dynamic_index_in_dim(%iterArg_19, %22) : (tensor<9x20xf32>, tensor<i32>) -> tensor<20xf32>
      %28 = func.call @dynamic_index_in_dim_6(%iterArg_20, %22) : (tensor<9x1x3xf32>, tensor<i32>) -> tensor<1x3xf32>
      %29 = func.call @dynamic_index_in_dim_6(%iterArg_21, %22) : (tensor<9x1x3xf32>, tensor<i32>) -> tensor<1x3xf32>
      %30 = func.call @dynamic_index_in_dim_5(%iterArg_22, %22) : (tensor<9x20x3xf32>, tensor<i32>) -> tensor<20x3xf32>
      %31:4 = func.call @closed_call_7(%iterArg_24, %iterArg_25, %23, %24, %25, %26, %27, %28, %29, %30) : (tensor<20x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<20x1xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<20x3xf32>) -> (tensor<20x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<3xf32>)
      %32 = func.call @dynamic_update_index_in_dim(%iterArg_26, %31#2, %22) : (tensor<9x20xf32>, tensor<20xf32>, tensor<i32>) -> tensor<9x20xf32>
      %33 = func.call @dynamic_update_index_in_dim_8(%iterArg_27, %31#3, %22) : (tensor<9x3xf32>, tensor<3xf32>, tensor<i32>) -> tensor<9x3xf32>
      %c_30 = stablehlo.constant dense<1> : tensor<i32>
      %34 = stablehlo.add %iterArg_23, %c_30 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %34, %31#0, %31#1, %32, %33 : tensor<9x20xf32>, tensor<9x20x1xf32>, tensor<9x20x3xf32>, tensor<9x20x3xf32>, tensor<9x20xf32>, tensor<9x1x3xf32>, tensor<9x1x3xf32>, tensor<9x20x3xf32>, tensor<i32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<9x20xf32>, tensor<9x3xf32>
    }
    return %20#11, %20#9, %20#12 : tensor<9x20xf32>, tensor<20x3xf32>, tensor<9x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<i32>) -> tensor<20xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 20] : (tensor<9x20xf32>, tensor<i32>, tensor<i32>) -> tensor<1x20xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20xf32>) -> tensor<20xf32>
    return %1 : tensor<20xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<9x3xf32>, %arg1: tensor<i32>) -> tensor<3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 3] : (tensor<9x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<20x3xf32>, %arg1: tensor<20x3xf32>, %arg2: tensor<20xf32>, %arg3: tensor<20xf32>, %arg4: tensor<3xf32>, %arg5: tensor<3xf32>) -> (tensor<20x3xf32>, tensor<20xf32>, tensor<20x1xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<20x3xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x3xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<20x3xf32>
    %3 = stablehlo.exponential %2 : tensor<20x3xf32>
    %4 = stablehlo.multiply %3, %arg1 : tensor<20x3xf32>
    %5 = stablehlo.multiply %arg3, %arg2 : tensor<20xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x3xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<20x3xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<20x3xf32>
    %11 = stablehlo.add %4, %10 : tensor<20x3xf32>
    %12 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<20x3xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<20x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<20x3xf32>, tensor<f32>) -> tensor<20xf32>
    return %11, %15, %0, %3, %arg1, %7, %12, %11 : tensor<20x3xf32>, tensor<20xf32>, tensor<20x1xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<20x3xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x20xf32>, %arg1: tensor<20xf32>, %arg2: tensor<i32>) -> tensor<9x20xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x20xf32>, tensor<1x20xf32>, tensor<i32>, tensor<i32>) -> tensor<9x20xf32>
    return %1 : tensor<9x20xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<9x20x1xf32>, %arg1: tensor<20x1xf32>, %arg2: tensor<i32>) -> tensor<9x20x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<20x1xf32>) -> tensor<1x20x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<9x20x1xf32>, tensor<1x20x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x20x1xf32>
    return %1 : tensor<9x20x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<9x20x3xf32>, %arg1: tensor<20x3xf32>, %arg2: tensor<i32>) -> tensor<9x20x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<20x3xf32>) -> tensor<1x20x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<9x20x3xf32>, tensor<1x20x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x20x3xf32>
    return %1 : tensor<9x20x3xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<9x1x3xf32>, %arg1: tensor<1x3xf32>, %arg2: tensor<i32>) -> tensor<9x1x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<9x1x3xf32>, tensor<1x1x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x1x3xf32>
    return %1 : tensor<9x1x3xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<9x20x1xf32>, %arg1: tensor<i32>) -> tensor<20x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 20, 1] : (tensor<9x20x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x20x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20x1xf32>) -> tensor<20x1xf32>
    return %1 : tensor<20x1xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<9x20x3xf32>, %arg1: tensor<i32>) -> tensor<20x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 20, 3] : (tensor<9x20x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x20x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x20x3xf32>) -> tensor<20x3xf32>
    return %1 : tensor<20x3xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<9x1x3xf32>, %arg1: tensor<i32>) -> tensor<1x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 3] : (tensor<9x1x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x3xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x3xf32>) -> tensor<1x3xf32>
    return %1 : tensor<1x3xf32>
  }
  func.func private @closed_call_7(%arg0: tensor<20x3xf32>, %arg1: tensor<20x3xf32>, %arg2: tensor<20xf32>, %arg3: tensor<20x1xf32>, %arg4: tensor<20x3xf32>, %arg5: tensor<20x3xf32>, %arg6: tensor<20xf32>, %arg7: tensor<1x3xf32>, %arg8: tensor<1x3xf32>, %arg9: tensor<20x3xf32>) -> (tensor<20x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<3xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<20xf32>) -> tensor<20x3xf32>
    %1 = stablehlo.multiply %arg9, %0 : tensor<20x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<20x3xf32>, tensor<f32>) -> tensor<3xf32>
    %3 = stablehlo.reshape %2 : (tensor<3xf32>) -> tensor<1x3xf32>
    %4 = stablehlo.broadcast_in_dim %arg8, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<20x3xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<20x3xf32>
    %6 = stablehlo.add %arg1, %5 : tensor<20x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x3xf32>, tensor<f32>) -> tensor<3xf32>
    %8 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<20x3xf32>
    %9 = stablehlo.multiply %6, %8 : tensor<20x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<20x3xf32>, tensor<f32>) -> tensor<20xf32>
    %11 = stablehlo.reshape %10 : (tensor<20xf32>) -> tensor<20x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<20x1xf32>, tensor<f32>) -> tensor<20xf32>
    %13 = stablehlo.multiply %arg6, %12 : tensor<20xf32>
    %14 = stablehlo.multiply %arg4, %6 : tensor<20x3xf32>
    %15 = stablehlo.multiply %6, %arg5 : tensor<20x3xf32>
    %16 = stablehlo.multiply %15, %arg4 : tensor<20x3xf32>
    %17 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x3xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<20x3xf32>
    %19 = stablehlo.add %arg0, %18 : tensor<20x3xf32>
    return %19, %14, %13, %7 : tensor<20x3xf32>, tensor<20x3xf32>, tensor<20xf32>, tensor<3xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<9x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<i32>) -> tensor<9x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<9x3xf32>
    return %1 : tensor<9x3xf32>
  }
}
