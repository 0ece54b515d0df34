// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<40x12x12xf32>, %1: tensor<24x40xf32>) -> (tensor<12x24xf32>, tensor<40x24xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<24x40xf32>) -> (tensor<24x1x40xf32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<24x1x40xf32>) -> (tensor<24x1x12x40xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<24x1x12x40xf32>) -> (tensor<24x12x40xf32>)
    %5 = "stablehlo.transpose"(%4) <{permutation = array<i64: 2, 1, 0>}> : (tensor<24x12x40xf32>) -> (tensor<40x12x24xf32>)
    %6 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x12x24xf32>)
    %8 = "stablehlo.multiply"(%7, %5) : (tensor<40x12x24xf32>, tensor<40x12x24xf32>) -> (tensor<40x12x24xf32>)
    %9 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<12x24xf32>)
    %11 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x24xf32>)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %14, %17, %18, %19 = "stablehlo.while"(%0, %13, %10, %12) ({
    ^bb0(%20: tensor<40x12x12xf32>, %23: tensor<i32>, %24: tensor<12x24xf32>, %25: tensor<40x24xf32>):
      %26 = "stablehlo.constant"() <{value = dense<40> : tensor<i32>}> : () -> (tensor<i32>)
      %27 = "stablehlo.compare"(%23, %26) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%27) : (tensor<i1>) -> ()
    }, {
    ^bb0(%28: tensor<40x12x12xf32>, %31: tensor<i32>, %32: tensor<12x24xf32>, %33: tensor<40x24xf32>):
      %104 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<24x40xf32>) -> (tensor<24x1x40xf32>)
      %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<24x1x40xf32>) -> (tensor<24x1x12x40xf32>)
      %106 = "stablehlo.reshape"(%105) : (tensor<24x1x12x40xf32>) -> (tensor<24x12x40xf32>)
      %107 = "stablehlo.transpose"(%106) <{permutation = array<i64: 2, 1, 0>}> : (tensor<24x12x40xf32>) -> (tensor<40x12x24xf32>)
      %108 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x12x24xf32>)
      %110 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<24x40xf32>) -> (tensor<24x1x40xf32>)
      %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<24x1x40xf32>) -> (tensor<24x1x12x40xf32>)
      %112 = "stablehlo.reshape"(%111) : (tensor<24x1x12x40xf32>) -> (tensor<24x12x40xf32>)
      %113 = "stablehlo.transpose"(%112) <{permutation = array<i64: 2, 1, 0>}> : (tensor<24x12x40xf32>) -> (tensor<40x12x24xf32>)
      %114 = "stablehlo.multiply"(%109, %113) : (tensor<40x12x24xf32>, tensor<40x12x24xf32>) -> (tensor<40x12x24xf32>)
      %42 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %43 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %44 = "stablehlo.dynamic_slice"(%28, %31, %42, %43) <{slice_sizes = array<i64: 1, 12, 12>}> : (tensor<40x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x12xf32>)
      %45 = "stablehlo.reshape"(%44) : (tensor<1x12x12xf32>) -> (tensor<12x12xf32>)
      %46 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %48 = "stablehlo.dynamic_slice"(%107, %31, %46, %47) <{slice_sizes = array<i64: 1, 12, 24>}> : (tensor<40x12x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x24xf32>)
      %49 = "stablehlo.reshape"(%48) : (tensor<1x12x24xf32>) -> (tensor<12x24xf32>)
      %50 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %51 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %52 = "stablehlo.dynamic_slice"(%114, %31, %50, %51) <{slice_sizes = array<i64: 1, 12, 24>}> : (tensor<40x12x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x24xf32>)
      %53 = "stablehlo.reshape"(%52) : (tensor<1x12x24xf32>) -> (tensor<12x24xf32>)
      %54 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<12x24xf32>)
      %56 = "stablehlo.multiply"(%32, %55) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %57 = "stablehlo.dot_general"(%45, %49) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<12x12xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %58 = "stablehlo.add"(%56, %57) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %59 = "stablehlo.maximum"(%58, %53) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %60 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %64 = "stablehlo.reduce"(%59, %60) <{dimensions = array<i64: 0>}> ({
      ^bb0(%61: tensor<f32>, %62: tensor<f32>):
        %63 = "stablehlo.add"(%61, %62) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%63) : (tensor<f32>) -> ()
      }) : (tensor<12x24xf32>, tensor<f32>) -> (tensor<24xf32>)
      %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xf32>) -> (tensor<1x24xf32>)
      %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %67 = "stablehlo.dynamic_update_slice"(%33, %65, %31, %66) : (tensor<40x24xf32>, tensor<1x24xf32>, tensor<i32>, tensor<i32>) -> (tensor<40x24xf32>)
      %40 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %41 = "stablehlo.add"(%31, %40) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%28, %41, %59, %67) : (tensor<40x12x12xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>) -> ()
    }) : (tensor<40x12x12xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>) -> (tensor<40x12x12xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>)
    "stablehlo.return"(%18, %19) : (tensor<12x24xf32>, tensor<40x24xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<40x12x12xf32>, %1: tensor<i32>) -> (tensor<12x12xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 12, 12>}> : (tensor<40x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x12xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x12x12xf32>) -> (tensor<12x12xf32>)
    "stablehlo.return"(%5) : (tensor<12x12xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim_0(%0: tensor<40x12x24xf32>, %1: tensor<i32>) -> (tensor<12x24xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 12, 24>}> : (tensor<40x12x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x24xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x12x24xf32>) -> (tensor<12x24xf32>)
    "stablehlo.return"(%5) : (tensor<12x24xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<12x24xf32>, %1: tensor<12x12xf32>, %2: tensor<12x24xf32>, %3: tensor<12x24xf32>) -> (tensor<12x24xf32>, tensor<24xf32>) {
    %4 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<12x24xf32>)
    %6 = "stablehlo.multiply"(%0, %5) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %7 = "stablehlo.dot_general"(%1, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<12x12xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %8 = "stablehlo.add"(%6, %7) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %9 = "stablehlo.maximum"(%8, %3) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %10 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 0>}> ({
    ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = "stablehlo.add"(%12, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<12x24xf32>, tensor<f32>) -> (tensor<24xf32>)
    "stablehlo.return"(%9, %11) : (tensor<12x24xf32>, tensor<24xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<40x24xf32>, %1: tensor<24xf32>, %2: tensor<i32>) -> (tensor<40x24xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xf32>) -> (tensor<1x24xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4) : (tensor<40x24xf32>, tensor<1x24xf32>, tensor<i32>, tensor<i32>) -> (tensor<40x24xf32>)
    "stablehlo.return"(%5) : (tensor<40x24xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<40x12x12xf32>, %1: tensor<24x40xf32>) -> (tensor<12x24xf32>, tensor<40x24xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<24x40xf32>) -> (tensor<24x1x40xf32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<24x1x40xf32>) -> (tensor<24x1x12x40xf32>)
    %4 = "stablehlo.reshape"(%3) : (tensor<24x1x12x40xf32>) -> (tensor<24x12x40xf32>)
    %5 = "stablehlo.transpose"(%4) <{permutation = array<i64: 2, 1, 0>}> : (tensor<24x12x40xf32>) -> (tensor<40x12x24xf32>)
    %6 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x12x24xf32>)
    %8 = "stablehlo.multiply"(%7, %5) : (tensor<40x12x24xf32>, tensor<40x12x24xf32>) -> (tensor<40x12x24xf32>)
    %9 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<12x24xf32>)
    %11 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<40x24xf32>)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %14, %15, %16, %17 = "stablehlo.while"(%0, %13, %10, %12) ({
    ^bb0(%18: tensor<40x12x12xf32>, %19: tensor<i32>, %20: tensor<12x24xf32>, %21: tensor<40x24xf32>):
      %22 = "stablehlo.constant"() <{value = dense<40> : tensor<i32>}> : () -> (tensor<i32>)
      %23 = "stablehlo.compare"(%19, %22) <{compare_type = "SIGNED", comparison_direction = "LT"}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%23) : (tensor<i1>) -> ()
    }, {
    ^bb0(%24: tensor<40x12x12xf32>, %25: tensor<i32>, %26: tensor<12x24xf32>, %27: tensor<40x24xf32>):
      %32 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %41 = "stablehlo.dynamic_slice"(%24, %25, %39, %40) <{slice_sizes = array<i64: 1, 12, 12>}> : (tensor<40x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x12xf32>)
      %42 = "stablehlo.reshape"(%41) : (tensor<1x12x12xf32>) -> (tensor<12x12xf32>)
      %43 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
      %69 = "stablehlo.dynamic_slice"(%1, %44, %25) <{slice_sizes = array<i64: 24, 1>}> : (tensor<24x40xf32>, tensor<i32>, tensor<i32>) -> (tensor<24x1xf32>)
      %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<24x1xf32>) -> (tensor<24x1x1xf32>)
      %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<24x1x1xf32>) -> (tensor<24x1x12x1xf32>)
      %72 = "stablehlo.reshape"(%71) : (tensor<24x1x12x1xf32>) -> (tensor<24x12x1xf32>)
      %45 = "stablehlo.transpose"(%72) <{permutation = array<i64: 2, 1, 0>}> : (tensor<24x12x1xf32>) -> (tensor<1x12x24xf32>)
      %46 = "stablehlo.reshape"(%45) : (tensor<1x12x24xf32>) -> (tensor<12x24xf32>)
      %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %74 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %75 = "stablehlo.broadcast_in_dim"(%74) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> (tensor<i32>)
      %76 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1x12x24xf32>)
      %77 = "stablehlo.dynamic_slice"(%1, %48, %25) <{slice_sizes = array<i64: 24, 1>}> : (tensor<24x40xf32>, tensor<i32>, tensor<i32>) -> (tensor<24x1xf32>)
      %78 = "stablehlo.broadcast_in_dim"(%77) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<24x1xf32>) -> (tensor<24x1x1xf32>)
      %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<24x1x1xf32>) -> (tensor<24x1x12x1xf32>)
      %80 = "stablehlo.reshape"(%79) : (tensor<24x1x12x1xf32>) -> (tensor<24x12x1xf32>)
      %81 = "stablehlo.transpose"(%80) <{permutation = array<i64: 2, 1, 0>}> : (tensor<24x12x1xf32>) -> (tensor<1x12x24xf32>)
      %49 = "stablehlo.multiply"(%76, %81) : (tensor<1x12x24xf32>, tensor<1x12x24xf32>) -> (tensor<1x12x24xf32>)
      %50 = "stablehlo.reshape"(%49) : (tensor<1x12x24xf32>) -> (tensor<12x24xf32>)
      %51 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
      %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<12x24xf32>)
      %53 = "stablehlo.multiply"(%26, %52) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %54 = "stablehlo.dot_general"(%42, %46) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<12x12xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %55 = "stablehlo.add"(%53, %54) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %56 = "stablehlo.maximum"(%55, %50) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
      %57 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
      %58 = "stablehlo.reduce"(%56, %57) <{dimensions = array<i64: 0>}> ({
      ^bb0(%59: tensor<f32>, %60: tensor<f32>):
        %61 = "stablehlo.add"(%59, %60) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
        "stablehlo.return"(%61) : (tensor<f32>) -> ()
      }) : (tensor<12x24xf32>, tensor<f32>) -> (tensor<24xf32>)
      %62 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xf32>) -> (tensor<1x24xf32>)
      %63 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
      %64 = "stablehlo.dynamic_update_slice"(%27, %62, %25, %63) : (tensor<40x24xf32>, tensor<1x24xf32>, tensor<i32>, tensor<i32>) -> (tensor<40x24xf32>)
      %65 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %66 = "stablehlo.add"(%25, %65) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%24, %66, %56, %64) : (tensor<40x12x12xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>) -> ()
    }) : (tensor<40x12x12xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>) -> (tensor<40x12x12xf32>, tensor<i32>, tensor<12x24xf32>, tensor<40x24xf32>)
    "stablehlo.return"(%16, %17) : (tensor<12x24xf32>, tensor<40x24xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim(%0: tensor<40x12x12xf32>, %1: tensor<i32>) -> (tensor<12x12xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 12, 12>}> : (tensor<40x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x12xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x12x12xf32>) -> (tensor<12x12xf32>)
    "stablehlo.return"(%5) : (tensor<12x12xf32>) -> ()
  }
  func.func private @dynamic_index_in_dim_0(%0: tensor<40x12x24xf32>, %1: tensor<i32>) -> (tensor<12x24xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4 = "stablehlo.dynamic_slice"(%0, %1, %2, %3) <{slice_sizes = array<i64: 1, 12, 24>}> : (tensor<40x12x24xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<1x12x24xf32>)
    %5 = "stablehlo.reshape"(%4) : (tensor<1x12x24xf32>) -> (tensor<12x24xf32>)
    "stablehlo.return"(%5) : (tensor<12x24xf32>) -> ()
  }
  func.func private @closed_call(%0: tensor<12x24xf32>, %1: tensor<12x12xf32>, %2: tensor<12x24xf32>, %3: tensor<12x24xf32>) -> (tensor<12x24xf32>, tensor<24xf32>) {
    %4 = "stablehlo.constant"() <{value = dense<5.000000000e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<12x24xf32>)
    %6 = "stablehlo.multiply"(%0, %5) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %7 = "stablehlo.dot_general"(%1, %2) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<12x12xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %8 = "stablehlo.add"(%6, %7) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %9 = "stablehlo.maximum"(%8, %3) : (tensor<12x24xf32>, tensor<12x24xf32>) -> (tensor<12x24xf32>)
    %10 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.reduce"(%9, %10) <{dimensions = array<i64: 0>}> ({
    ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = "stablehlo.add"(%12, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<12x24xf32>, tensor<f32>) -> (tensor<24xf32>)
    "stablehlo.return"(%9, %11) : (tensor<12x24xf32>, tensor<24xf32>) -> ()
  }
  func.func private @dynamic_update_index_in_dim(%0: tensor<40x24xf32>, %1: tensor<24xf32>, %2: tensor<i32>) -> (tensor<40x24xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<24xf32>) -> (tensor<1x24xf32>)
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %5 = "stablehlo.dynamic_update_slice"(%0, %3, %2, %4) : (tensor<40x24xf32>, tensor<1x24xf32>, tensor<i32>, tensor<i32>) -> (tensor<40x24xf32>)
    "stablehlo.return"(%5) : (tensor<40x24xf32>) -> ()
  }
}
